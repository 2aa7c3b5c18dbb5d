import type { BuildQueue, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { queueText } from '../../../text/builds.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { placeOf } from '../queue/queue-line.ts'

/** What can be done about building a ticket right now, and why not when nothing can. */
export interface BuildAction {
  kind: 'build' | 'answer' | 'queue'
  label: string
  reason: string | null
}

/** One build at a time in a project: the button offers what is possible, never what would be refused. */
export function buildActionFor(
  ticket: Ticket | null,
  known: { isBuilding: boolean; isAsking: boolean; queue: BuildQueue | undefined },
): BuildAction {
  const { queue } = known
  if (!ticket) return impossible(workText.build.why.noTicket)
  if (known.isAsking) return { kind: 'answer', label: workText.build.answer, reason: null }
  if (known.isBuilding || ticket.build.state === 'running' || queue?.running?.ticketId === ticket.id)
    return impossible(workText.build.why.running)
  if (ticket.type === 'epic') return impossible(workText.build.why.epic)
  const place = placeOf(queue, ticket.id)
  if (place) return impossible(queueText.place(place.n, place.of))
  if (queue?.running) return { kind: 'queue', label: queueText.add, reason: null }
  return { kind: 'build', label: workText.build.start, reason: null }
}

const impossible = (reason: string): BuildAction => ({
  kind: 'build',
  label: workText.build.start,
  reason,
})
