import type { BuildQueue, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import type { BuildProgress } from '../../../state/builds/build-follower.ts'
import { queuePosition } from '../queue/queue-line.ts'

/** What the Build button does for a ticket. When `reason` is set, the button is disabled and shows it. */
export interface BuildDecision {
  kind: 'build' | 'answer' | 'queue'
  label: string
  reason: string | null
}

/**
 * Decides what the action Build does now. The action has a button, a shortcut and a command, and a new ticket also starts it. A project
 * builds one ticket at a time, so further tickets are queued. `followed` comes from the build's stream and is newer than the cached ticket,
 * so it takes precedence.
 */
export function decideBuild(
  ticket: Ticket | null,
  followed: BuildProgress,
  queue: BuildQueue | undefined,
): BuildDecision {
  if (!ticket) return disabledBuild(workText.build.why.noTicket)
  const { state } = ticket.build
  if (followed === 'asking' || (followed === null && state === 'awaiting'))
    return { kind: 'answer', label: workText.build.answer, reason: null }
  if (followed === 'building' || state === 'running' || queue?.running?.ticketId === ticket.id)
    return disabledBuild(workText.build.why.running)
  if (ticket.type === 'epic') return disabledBuild(workText.build.why.epic)
  const place = queuePosition(queue, ticket.id)
  if (place) return disabledBuild(queueText.place(place.n, place.of))
  if (queue?.running) return { kind: 'queue', label: queueText.add, reason: null }
  return { kind: 'build', label: workText.build.start, reason: null }
}

const disabledBuild = (reason: string): BuildDecision => ({
  kind: 'build',
  label: workText.build.start,
  reason,
})
