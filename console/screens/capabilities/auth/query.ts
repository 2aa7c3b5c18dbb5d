import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { call } from '../../../api/request/client.ts'

/** The codes and links that the live app could not mail to its people, newest first. */
export const readAppOutbox = (projectId: string) =>
  call(api.listAppOutbox({ path: { projectId }, query: { limit: 200 } }))

export const setAppUserRole = (projectId: string, userId: string, role: 'member' | 'staff') =>
  call(api.setAppUserRole({ path: { projectId, userId }, body: { role } }))

export const eraseAppUser = (projectId: string, userId: string) =>
  call(api.eraseAppUser({ path: { projectId, userId } }))
