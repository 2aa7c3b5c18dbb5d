import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import type { Queued } from '../../../api/project/queue.ts'
import { queueText } from '../../../text/builds.en.ts'

/** The line as it will be without this ticket: those behind it move up. */
export function withoutTicket(queue: BuildQueue, ticketId: string): BuildQueue {
  const queued = queue.queued
    .filter((waiting) => waiting.ticketId !== ticketId)
    .map((waiting, index) => ({ ...waiting, position: index + 1 }))
  return { ...queue, queued }
}

/** The line in a few words: `Building 1, 3 waiting`; null when there is nothing to say. */
export function describeLine(queue: BuildQueue | undefined): string | null {
  if (!queue) return null
  const waiting = queue.queued.length
  if (queue.running) return waiting === 0 ? queueText.building : queueText.buildingAnd(waiting)
  return waiting === 0 ? null : queueText.waiting(waiting)
}

/** Where a ticket stands in the line; null when it does not wait. */
export function placeOf(queue: BuildQueue | undefined, ticketId: string): { n: number; of: number } | null {
  const waiting = queue?.queued.find((row) => row.ticketId === ticketId)
  return queue && waiting ? { n: waiting.position, of: queue.queued.length } : null
}

/** What became of tickets that were to be queued, as one sentence and a reason for each that was skipped. */
export function describeQueued(answer: Queued, titleOf: (ticketId: string) => string | undefined) {
  return {
    sentence: queueText.queued(answer.queued.length),
    skipped: answer.skipped.map(({ ticketId, reason }) => ({
      ticketId,
      title: titleOf(ticketId) ?? ticketId,
      why: queueText.skipped[reason],
    })),
  }
}
