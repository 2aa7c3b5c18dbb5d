import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import type { EventName } from '../types.ts'

/** The webhooks of the organization, newest first, without their signing secrets. */
export const webhooksQuery = () =>
  queryOptions({ queryKey: queryKeys.webhooks, queryFn: ({ signal }) => call(api.listWebhooks({ signal })) })

/** Creates a webhook. The response contains the secret, which no later request returns. */
export const createWebhook = (input: { url: string; events: EventName[] }) =>
  call(api.createWebhook({ body: input }))

/** Deletes a webhook. Events that were not delivered yet are dropped. */
export const deleteWebhook = (id: string) => call(api.deleteWebhook({ path: { id } }))

/** Creates a ticket, so that the service sends a real event to the webhooks. */
export const createTestTicket = (projectId: string, title: string) =>
  call(api.createTicket({ path: { projectId }, body: { title, type: 'chore' } }))
