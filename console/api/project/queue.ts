import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { QueueBuildsResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The result of `addToQueue`: what was added, what was refused with the reason, and open questions of the plan agent. */
export type QueuedBuilds = QueueBuildsResponses[200]['data']

/** The limit of `POST /projects/:projectId/build/queue`. */
const TICKETS_PER_REQUEST = 100
const QUEUE_REFETCH_MS = 15_000
/** The polling interval while tickets wait, because other members may change the queue. */
const REREAD_WAITING_MS = 5_000

/** The running build, and the waiting tickets in the order in which they will be built. */
export const queueQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.queue.of(projectId),
    queryFn: ({ signal }) => call(api.getBuildQueue({ path: { projectId }, signal })),
    refetchInterval: ({ state }) => (state.data?.queued.length ? REREAD_WAITING_MS : QUEUE_REFETCH_MS),
  })

/**
 * Appends tickets to the queue in the given order, in requests of at most `TICKETS_PER_REQUEST`. The result lists the refused tickets with
 * the reason.
 */
export async function addToQueue(projectId: string, ticketIds: readonly string[]): Promise<QueuedBuilds> {
  const added: QueuedBuilds = { queued: [], skipped: [], openQuestions: [] }
  for (let at = 0; at < ticketIds.length; at += TICKETS_PER_REQUEST) {
    const body = { ticketIds: ticketIds.slice(at, at + TICKETS_PER_REQUEST) }
    const { queued, skipped, openQuestions } = await call(api.queueBuilds({ path: { projectId }, body }))
    added.queued.push(...queued)
    added.skipped.push(...skipped)
    added.openQuestions.push(...openQuestions)
  }
  return added
}

/** Takes a ticket out of the queue. A build of the ticket that is already running continues. */
export const removeFromQueue = (projectId: string, ticketId: string) =>
  call(api.removeFromBuildQueue({ path: { projectId, ticketId } }))
