import type { TicketRollup } from '@slipway/sdk/client/types.gen.ts'
import { ticketsText } from '../../../text/tickets.en.ts'

/** The rollup of a ticket as a progress bar with figures. Cancelled tickets do not count. */
export function RollupBar({ rollup }: { rollup: TicketRollup }) {
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
