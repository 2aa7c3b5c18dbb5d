import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { workText } from '../../text/workspace.en.ts'
import { StateDot, type StateTone } from '../../ui/state-dot.tsx'
import { StatusIcon } from './status-icon.tsx'

/** One ticket in a list: where it stands, what it says, and whether it is being built. */
export function TicketRow({
  ticket,
  current,
  onChoose,
}: {
  ticket: Ticket
  current: boolean
  onChoose: () => void
}) {
  const building = BUILDING[ticket.build.state]
  return (
    <li>
      <button
        type="button"
        aria-current={current ? 'true' : undefined}
        onClick={onChoose}
        className={`flex w-full cursor-pointer items-start gap-2.5 rounded-lg px-2.5 py-2 text-left ${current ? 'bg-kumo-base shadow-sm ring-1 ring-kumo-line' : 'hover:bg-kumo-tint'}`}
      >
        <StatusIcon status={ticket.status} className="mt-[3px] size-4 shrink-0" />
        <span className="min-w-0 flex-1">
          <span
            className={`line-clamp-2 break-words ${current ? 'font-medium text-kumo-strong' : 'text-kumo-default'}`}
          >
            {ticket.title}
          </span>
          <span className="mt-0.5 flex flex-wrap items-center gap-x-2 text-xs text-kumo-subtle">
            {building ? (
              <StateDot tone={building.tone}>{building.word}</StateDot>
            ) : (
              <span>{workText.tickets.status[ticket.status]}</span>
            )}
            <span aria-hidden="true">·</span>
            <span>{workText.tickets.type[ticket.type]}</span>
            {ticket.priority !== 'none' && (
              <>
                <span aria-hidden="true">·</span>
                <span>{workText.tickets.priority[ticket.priority]}</span>
              </>
            )}
          </span>
        </span>
      </button>
    </li>
  )
}

const BUILDING: Record<Ticket['build']['state'], { tone: StateTone; word: string } | null> = {
  idle: null,
  queued: { tone: 'quiet', word: workText.tickets.queued },
  running: { tone: 'busy', word: workText.tickets.building },
  awaiting: { tone: 'ask', word: workText.tickets.awaiting },
}
