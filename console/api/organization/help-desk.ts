import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import type { DeskState } from '../../routes.ts'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The polling interval. A new question appears in an open list within this time. */
const HELP_DESK_REFETCH_MS = 30_000

/** The help conversations with the given state, over all organizations. Null for an organization that does not run the help desk. */
export const deskQuery = (state: DeskState) =>
  queryOptions({
    queryKey: queryKeys.desk.list(state),
    queryFn: ({ signal }) => call(api.listDesk({ query: { state }, signal })),
    refetchInterval: ({ state: { data } }) => (data === null ? false : HELP_DESK_REFETCH_MS),
  })

export const deskConversationQuery = (threadId: string) =>
  queryOptions({
    queryKey: queryKeys.desk.one(threadId),
    queryFn: ({ signal }) => call(api.readDesk({ path: { threadId }, signal })),
  })

export const answerFromDesk = (threadId: string, message: { body: string; attachments: string[] }) =>
  call(api.answerFromDesk({ path: { threadId }, body: message }))

export const closeFromDesk = (threadId: string) => call(api.closeFromDesk({ path: { threadId } }))

export const deskPictureUrl = (id: string) => `/api/v1/desk/attachments/${encodeURIComponent(id)}`
