import { ArrowBendDownRightIcon, CaretRightIcon } from '@phosphor-icons/react'
import type { TicketRollup } from '@slipway/sdk/client/types.gen.ts'
import type { TreeTicket } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { RefusalNote } from '../fields/refusal-note.tsx'
import { StatusButton } from '../fields/status-button.tsx'
import { TicketMeta } from '../fields/ticket-meta.tsx'
import { TitleButton } from '../fields/title-button.tsx'

interface TreeRowProps {
  ticket: TreeTicket
  level: number
  canOpen: boolean
  isExpanded: boolean
  isReached: boolean
  rollup: TicketRollup | undefined
  now: number
  onToggle: () => void
}

export function TreeRowView(props: TreeRowProps) {
  const { ticket, isExpanded } = props
  const { chosen, open } = usePane()
  const tabIndex = props.isReached ? 0 : -1
  return (
    <div
      className={`group/ticket relative flex items-start rounded-lg py-1 pr-1 ${chosen === ticket.id ? 'bg-kumo-base shadow-sm ring-1 ring-kumo-line' : 'hover:bg-kumo-tint'}`}
      style={{ paddingLeft: `${(props.level - 1) * 16}px` }}
    >
      <div role="gridcell" className="relative z-10 flex shrink-0 items-center">
        {props.canOpen ? (
          <button
            type="button"
            tabIndex={tabIndex}
            aria-expanded={isExpanded}
            aria-label={
              isExpanded ? ticketsText.tree.fold(ticket.title) : ticketsText.tree.expand(ticket.title)
            }
            onClick={props.onToggle}
            className="grid size-6 cursor-pointer place-items-center rounded-md text-kumo-subtle hover:bg-kumo-fill pointer-coarse:size-8"
          >
            <CaretRightIcon
              className={`size-3 transition-transform ${isExpanded ? 'rotate-90' : ''}`}
              aria-hidden="true"
            />
          </button>
        ) : (
          <span className="size-6 pointer-coarse:size-8" />
        )}
        <StatusButton ticket={ticket} tabIndex={tabIndex} />
      </div>
      <div role="gridcell" className="min-w-0 flex-1 pl-1">
        <TitleButton ticket={ticket} tabIndex={tabIndex} clamp="line-clamp-2" />
        <span className="flex flex-wrap items-center gap-x-2.5 gap-y-1 empty:hidden">
          {props.rollup && <RollupBar rollup={props.rollup} />}
          <TicketMeta ticket={ticket} now={props.now} />
        </span>
        <RefusalNote ticketId={ticket.id} />
      </div>
      <div role="gridcell" className="relative z-10 shrink-0">
        <button
          type="button"
          tabIndex={tabIndex}
          aria-haspopup="dialog"
          aria-label={`${ticketsText.tree.move}: ${ticket.title}`}
          title={ticketsText.tree.move}
          onClick={() => open({ kind: 'parent', ids: [ticket.id] })}
          className="grid size-6 cursor-pointer place-items-center rounded-md text-kumo-subtle opacity-0 group-hover/ticket:opacity-100 hover:bg-kumo-fill focus-visible:opacity-100 pointer-coarse:size-8 pointer-coarse:opacity-100"
        >
          <ArrowBendDownRightIcon className="size-4" aria-hidden="true" />
        </button>
      </div>
    </div>
  )
}

/** Shows how many descendants of a ticket are done, as a progress bar with figures. Cancelled descendants do not count. */
function RollupBar({ rollup }: { rollup: TicketRollup }) {
  const all = rollup.total - rollup.cancelled
  if (all <= 0) return null
  const share = (count: number) => ({ width: `${(count / all) * 100}%` })
  const { in_progress: inProgress, in_review: inReview } = rollup.byStatus
  return (
    <span className="flex shrink-0 items-center gap-2 text-xs text-kumo-subtle">
      <span aria-hidden="true" className="flex h-1.5 w-16 overflow-hidden rounded-full bg-kumo-fill">
        <span className="bg-kumo-success" style={share(rollup.done)} />
        <span className="bg-tide" style={share(inReview)} />
        <span className="bg-kumo-warning" style={share(inProgress)} />
      </span>
      <span aria-hidden="true" className="min-w-8 tabular-nums">
        {rollup.done}/{all}
      </span>
      <span className="sr-only">{ticketsText.tree.progress(rollup.done, all)}</span>
    </span>
  )
}
