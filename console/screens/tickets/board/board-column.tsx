import { useEffect, useEffectEvent } from 'react'
import type { TicketStatus } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'
import { useWindowedRows } from '../../../ui/lists/use-windowed-rows.ts'
import { BoardCard } from './board-card.tsx'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { currentMinute } from '../fields/due-date.ts'
import { useCursor } from '../../../state/tickets/mark-store.ts'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import { useColumnDrop } from './use-drag.ts'
import { useFocusArrival } from '../list/use-focus-arrival.ts'
import { type LiveGroup, useStatusGroup } from '../list/use-status-groups.ts'

const CARD_PX = 84
/** The next page is loaded when fewer than this number of cards are left below the visible cards. */
const LOAD_AHEAD = 20

interface BoardColumnProps {
  status: TicketStatus
  /** True on a narrow screen, where the status picker above the column already shows the name of the status. */
  hideHead: boolean
  /** Called with the order of the tickets, which the arrow keys of the board need. */
  onOrder: (status: TicketStatus, ids: string[]) => void
}

/** The tickets of one status; only visible cards are rendered. */
export function BoardColumn({ status, hideHead, onOrder }: BoardColumnProps) {
  const { projectId, filter } = usePane()
  const group = useStatusGroup(projectId, filter, status)
  const { ref, isOver } = useColumnDrop(status)
  const name = workText.tickets.status[status]
  const count =
    group.total ?? (group.hasMore ? ticketsText.atLeast(group.tickets.length) : group.tickets.length)
  useEffect(() =>
    onOrder(
      status,
      group.tickets.map(({ id }) => id),
    ),
  )
  return (
    <section
      ref={ref}
      aria-label={name}
      data-over={isOver || undefined}
      className="flex min-h-0 min-w-48 flex-1 basis-0 flex-col rounded-xl bg-kumo-recessed ring-1 ring-kumo-hairline data-over:bg-tide-tint data-over:ring-tide"
    >
      <h3
        className={
          hideHead
            ? 'sr-only'
            : 'flex shrink-0 items-center gap-2 px-3 pt-2.5 pb-1.5 text-[13px] font-medium text-kumo-default'
        }
      >
        <StatusIcon status={status} className="size-4" />
        <span className="truncate">{name}</span>
        <span className="text-kumo-subtle tabular-nums">{count}</span>
      </h3>
      <div data-scroller className="min-h-0 flex-1 overflow-y-auto p-1.5">
        <ColumnCards group={group} />
      </div>
    </section>
  )
}

function ColumnCards({ group }: { group: LiveGroup }) {
  const { marks, chosen } = usePane()
  const { tickets, total } = group
  const { box, rows, totalPx, measure, reveal } = useWindowedRows(
    tickets.length,
    CARD_PX,
    (index) => tickets[index]?.id ?? String(index),
  )
  const cursor = useCursor(marks)
  const at = (id: string | null) => tickets.findIndex((ticket) => ticket.id === id)
  const reached = Math.max(0, at(cursor) >= 0 ? at(cursor) : at(chosen))
  useFocusArrival(
    tickets,
    (id) => reveal(at(id)),
    () => total,
  )
  const more = useEffectEvent(() => group.loadMore())
  const last = rows.at(-1)?.index ?? 0
  // After an error the next page is requested only by “Try again”. Otherwise each failed request would be followed by another.
  const isNearEnd = group.hasMore && !group.error && last >= tickets.length - LOAD_AHEAD
  useEffect(() => {
    if (isNearEnd && !group.isReading) more()
  }, [isNearEnd, group.isReading, tickets.length])
  const failure = group.error ? (
    <FailureNote title={ticketsText.loadFailed} error={group.error} onRetry={group.retry} />
  ) : null
  if (failure && tickets.length === 0) return failure
  if (group.isPending) return <ColumnSkeleton />
  if (tickets.length === 0 && !group.hasMore)
    return <p className="px-2 py-3 text-[13px] text-kumo-subtle">{ticketsText.board.emptyHint}</p>
  const now = currentMinute()
  return (
    <>
      <ul ref={box} className="relative" style={{ height: totalPx }}>
        {rows.map(({ index, startPx }) => {
          const ticket = tickets[index]
          return (
            ticket && (
              <li
                key={ticket.id}
                ref={measure}
                data-index={index}
                aria-setsize={total ?? -1}
                aria-posinset={index + 1}
                className="absolute inset-x-0 p-0.5 pb-1.5"
                style={{ top: startPx }}
              >
                <BoardCard ticket={ticket} now={now} isReached={index === reached} />
              </li>
            )
          )
        })}
      </ul>
      {failure}
    </>
  )
}

function ColumnSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-2 p-0.5">
        {[1, 2, 3].map((card) => (
          <Bar key={card} className="h-16! rounded-lg!" />
        ))}
      </div>
    </Skeleton>
  )
}
