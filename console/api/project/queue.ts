import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { QueueBuildsResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type Queued = QueueBuildsResponses[200]['data']

const REREAD_MS = 15_000
/** While tickets wait, others of the team see them move. */
const REREAD_WAITING_MS = 5_000

/** What is being built and what waits, in order. */
export const queueQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.queue.of(projectId),
    queryFn: ({ signal }) => call(api.getBuildQueue({ path: { projectId }, signal })),
    refetchInterval: ({ state }) => (state.data?.queued.length ? REREAD_WAITING_MS : REREAD_MS),
  })

/** Puts tickets at the end of the line, in this order; what cannot be queued is answered with its reason. */
export const addToQueue = (projectId: string, ticketIds: string[]) =>
  call(api.queueBuilds({ path: { projectId }, body: { ticketIds } }))

export const removeFromQueue = (projectId: string, ticketId: string) =>
  call(api.removeFromBuildQueue({ path: { projectId, ticketId } }))
