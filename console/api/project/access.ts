import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The polling interval while the running app has not yet applied a change of the access code. */
const APPLYING_REFETCH_MS = 1_000

/** Whether the live app asks for an access code, and whether the running app has applied the last change. Polled until it has. */
export const accessQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.projects.access(projectId),
    queryFn: ({ signal }) => call(api.getAppAccess({ path: { projectId }, signal })),
    refetchInterval: ({ state }) => (state.data?.applied === false ? APPLYING_REFETCH_MS : false),
  })

/** Sets the access code of the live app; null removes it. */
export const setAccessCode = (projectId: string, code: string | null) =>
  call(api.setAppAccess({ path: { projectId }, body: { code } }))

/** Returns a URL that signs this user into the live app as staff. It works once, within a minute. */
export const openAppAsStaff = (projectId: string) => call(api.openAppAsStaff({ path: { projectId } }))
