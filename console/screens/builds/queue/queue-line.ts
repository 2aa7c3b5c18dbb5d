import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import type { QueuedBuilds } from '../../../api/project/queue.ts'
import { queueText } from '../../../text/builds.en.ts'

/** Returns the queue without a ticket. The tickets behind it move up by one position. */
export function withoutTicket(queue: BuildQueue, ticketId: string): BuildQueue {
  const queued = queue.queued
    .filter((waiting) => waiting.ticketId !== ticketId)
    .map((waiting, index) => ({ ...waiting, position: index + 1 }))
  return { ...queue, queued }
}

/** Describes the queue, for example “Building 1, 3 waiting”. Null when it is empty. */
export function describeLine(queue: BuildQueue | undefined): string | null {
  if (!queue) return null
  const waiting = queue.queued.length
  if (queue.running) return waiting === 0 ? queueText.building : queueText.buildingAnd(waiting)
  if (waiting === 0) return null
  const isStuck = queue.queued.every((row) => row.waiting?.reason === 'dependencies')
  return isStuck ? queueText.stuck(waiting) : queueText.waiting(waiting)
}

/**
 * Describes why a queued ticket cannot be built yet, for example `Waits for “Sign in” (its last build
 * failed).`
 */
export function describeWaiting({
  reason,
  dependencies = [],
}: NonNullable<BuildQueue['queued'][number]['waiting']>): string {
  if (dependencies.length === 0) return queueText.waitsFor[reason]
  const names = dependencies.map(
    ({ title, problem }) =>
      queueText.dependency(title) + (problem === null ? '' : queueText.dependencyProblem[problem]),
  )
  return queueText.waitsForTickets(new Intl.ListFormat('en').format(names))
}

/** Returns the position of a ticket in the queue, or null when it is not queued. */
export function queuePosition(
  queue: BuildQueue | undefined,
  ticketId: string,
): { n: number; of: number } | null {
  const waiting = queue?.queued.find((row) => row.ticketId === ticketId)
  return queue && waiting ? { n: waiting.position, of: queue.queued.length } : null
}

/** Describes what a request to queue tickets did, with a reason for each skipped ticket. */
export function describeQueued(result: QueuedBuilds, titleOf: (ticketId: string) => string | undefined) {
  return {
    sentence: queueText.queued(result.queued.length),
    skipped: result.skipped.map(({ ticketId, reason }) => ({
      ticketId,
      title: titleOf(ticketId) ?? ticketId,
      why: queueText.skipped[reason],
    })),
  }
}
