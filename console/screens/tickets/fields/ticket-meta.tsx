import { CalendarBlankIcon, PlugsConnectedIcon } from '@phosphor-icons/react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { attentionQuery } from '../../../api/project/attention.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { formatRelative } from '../../../lib/format.ts'
import { StateDot, type StateTone } from '../../../ui/page/state-dot.tsx'
import { formatDueDay } from './due-date.ts'
import { PriorityMark } from './priority-mark.tsx'
import { isOverdue } from '../../../state/tickets/ticket-stats.ts'

const LABELS_SHOWN = 2

export function TicketMeta({ ticket, now }: { ticket: Ticket; now: number }) {
  const building = BUILD_STATES[ticket.build.state]
  const failedAt = useFailedAt(ticket)
  const hidden = ticket.labels.length - LABELS_SHOWN
  return (
    <span className="flex min-w-0 flex-wrap items-center gap-x-2.5 gap-y-1 text-xs text-kumo-subtle empty:hidden">
      {building && <StateDot tone={building.tone}>{building.word}</StateDot>}
      {failedAt && (
        <span className="font-medium text-removed">
          <StateDot tone="bad">
            {workText.tickets.failed(formatRelative(new Date(failedAt), new Date(now)))}
          </StateDot>
        </span>
      )}
      {ticket.build.refused && (
        <StateDot tone="bad">{workText.tickets.refused[ticket.build.refused]}</StateDot>
      )}
      {ticket.type !== 'task' && <span>{workText.tickets.type[ticket.type]}</span>}
      {ticket.priority !== 'none' && <PriorityMark priority={ticket.priority} />}
      {ticket.dueAt && <DueDate ticket={ticket} at={ticket.dueAt} now={now} />}
      {ticket.source === 'ingest' && (
        <span className="inline-flex items-center gap-1">
          <PlugsConnectedIcon className="size-3.5" aria-hidden="true" />
          {ticketsText.ingest}
        </span>
      )}
      {ticket.labels.slice(0, LABELS_SHOWN).map((label) => (
        <span key={label} className="max-w-32 truncate rounded-full bg-kumo-fill px-2 text-kumo-default">
          {label}
        </span>
      ))}
      {hidden > 0 && <span title={ticket.labels.slice(LABELS_SHOWN).join(', ')}>+{hidden}</span>}
    </span>
  )
}

/** The time at which the last build of this ticket failed. Null when it did not fail, and while a new build runs. */
function useFailedAt({ id, build }: Ticket): string | null {
  const isIdle = build.state === 'idle' && build.runId !== null && build.outcome === null
  const { data } = useQuery({
    ...attentionQuery(),
    enabled: isIdle,
    select: (items) => items.find(({ ticketId, state }) => ticketId === id && state === 'failed')?.at ?? null,
  })
  return isIdle ? (data ?? null) : null
}

function DueDate({ ticket, at, now }: { ticket: Ticket; at: string; now: number }) {
  const isLate = isOverdue(ticket, now)
  const day = formatDueDay(at, now)
  return (
    <span className={`inline-flex items-center gap-1 ${isLate ? 'font-medium text-removed' : ''}`}>
      <CalendarBlankIcon className="size-3.5" aria-hidden="true" />
      {isLate ? ticketsText.overdue(day) : ticketsText.due(day)}
    </span>
  )
}

const BUILD_STATES: Record<Ticket['build']['state'], { tone: StateTone; word: string } | null> = {
  idle: null,
  queued: { tone: 'quiet', word: workText.tickets.queued },
  running: { tone: 'busy', word: workText.tickets.building },
  awaiting: { tone: 'ask', word: workText.tickets.awaiting },
}
