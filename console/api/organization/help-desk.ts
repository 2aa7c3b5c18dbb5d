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

/** One conversation of any organization with all its messages, as the operator sees it. */
export const deskConversationQuery = (threadId: string) =>
  queryOptions({
    queryKey: queryKeys.desk.one(threadId),
    queryFn: ({ signal }) => call(api.readDesk({ path: { threadId }, signal })),
  })

/** Sends the operator's answer. `attachments` are ids of uploaded pictures. The member who wrote last gets a mail. */
export const answerFromDesk = (threadId: string, message: { body: string; attachments: string[] }) =>
  call(api.answerFromDesk({ path: { threadId }, body: message }))

/** Closes a conversation. A further message of a member opens it again. */
export const closeFromDesk = (threadId: string) => call(api.closeFromDesk({ path: { threadId } }))

/** The URL of a picture in any organization's conversation. Only the help desk may read it; members use `pictureUrl`. */
export const deskPictureUrl = (id: string) => `/api/v1/desk/attachments/${encodeURIComponent(id)}`
