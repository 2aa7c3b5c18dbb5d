import { Button } from '@cloudflare/kumo/components/button'
import { ListChecksIcon } from '@phosphor-icons/react'
import { type KeyboardEvent, useMemo } from 'react'
import { ticketsText } from '../../text/tickets.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure.tsx'
import { Bar, Skeleton } from '../../ui/skeleton.tsx'
import { useWindowedRows } from '../../ui/use-windowed-rows.ts'
import { useDesk } from './desk.ts'
import { useCursor } from './mark-store.ts'
import { hasBelow, type TreeRow, treeStep } from './tree-rows.ts'
import { TreeRowView } from './tree-row.tsx'
import { useFocusArrival } from './use-focus-arrival.ts'
import { type OpenTree, useTicketTree } from './use-ticket-tree.ts'

const ROW_PX = 44

/** Tickets below tickets; a level is read when it is opened. */
export function TicketTree() {
  const tree = useTicketTree(useDesk().projectId)
  const { rows, wishes } = tree
  if (tree.error)
    return <FailureNote title={ticketsText.loadFailed} error={tree.error} onRetry={tree.retry} />
  return (
    <>
      <label className="mb-1 flex min-h-8 items-center gap-2 px-2 text-[13px] text-kumo-subtle">
        <input
          type="checkbox"
          checked={wishes.active}
          onChange={(event) => tree.hideClosed(event.target.checked)}
          className="size-4"
        />
        {ticketsText.tree.hideClosed}
      </label>
      {rows.length === 0 ? <EmptyTree hidesClosed={wishes.active} /> : <TreeGrid tree={tree} />}
    </>
  )
}

/** Apart from what makes the rows: scrolling draws these again and nothing else. */
function TreeGrid({ tree }: { tree: OpenTree }) {
  const { marks, chosen, order } = useDesk()
  const { rows, wishes } = tree
  const tickets = useMemo(() => rows.flatMap((row) => (row.kind === 'ticket' ? [row.ticket] : [])), [rows])
  order.current = () => tickets.map(({ id }) => id)
  const {
    box,
    rows: inSight,
    totalPx,
    measure,
    reveal,
  } = useWindowedRows(rows.length, ROW_PX, (index) => rows[index]?.key ?? String(index))
  const cursor = useCursor(marks)
  const isHere = (id: string | null) => tickets.some((ticket) => ticket.id === id)
  const reached = [cursor, chosen].find(isHere) ?? tickets[0]?.id
  useFocusArrival(
    tickets,
    (id) => reveal(rows.findIndex(({ key }) => key === id)),
    () => null,
  )
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event
    const id = target instanceof HTMLElement ? target.dataset['ticket'] : undefined
    if (id === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return
    const step = treeStep(rows, id, key, wishes.active)
    if (step === null) return
    event.preventDefault()
    if ('toggle' in step) tree.toggle(step.toggle)
    else marks.focus(step.focus)
  }
  const now = Date.now()
  return (
    <div role="treegrid" aria-label={ticketsText.tree.label} aria-rowcount={-1} onKeyDown={onKeyDown}>
      <div role="rowgroup" ref={box} className="relative" style={{ height: totalPx }}>
        {inSight.map(({ index, startPx }) => {
          const row = rows[index]
          return (
            row && (
              <div
                role="row"
                key={row.key}
                ref={measure}
                data-index={index}
                aria-rowindex={index + 1}
                aria-level={row.level}
                className="absolute inset-x-0 pb-px"
                style={{ top: startPx }}
                {...(row.kind === 'ticket' &&
                  hasBelow(row.ticket, wishes.active) && { 'aria-expanded': row.isExpanded })}
              >
                {row.kind === 'ticket' ? (
                  <TreeRowView
                    ticket={row.ticket}
                    level={row.level}
                    canOpen={hasBelow(row.ticket, wishes.active)}
                    isExpanded={row.isExpanded}
                    isReached={row.key === reached}
                    rollup={tree.rollups?.[row.ticket.id]}
                    now={now}
                    onToggle={() => tree.toggle(row.ticket.id)}
                  />
                ) : (
                  <RestRow row={row} onMore={() => tree.more(row.parent)} />
                )}
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function RestRow({ row, onMore }: { row: Exclude<TreeRow, { kind: 'ticket' }>; onMore: () => void }) {
  return (
    <div role="gridcell" style={{ paddingLeft: `${row.level * 16 + 12}px` }} className="py-1">
      {row.kind === 'more' ? (
        <Button size="sm" variant="ghost" onClick={onMore}>
          {ticketsText.tree.more}
        </Button>
      ) : (
        <Skeleton>
          <Bar className="my-2 w-3/5" />
        </Skeleton>
      )}
    </div>
  )
}

function EmptyTree({ hidesClosed }: { hidesClosed: boolean }) {
  const { empty, emptyHint, allClosed, allClosedHint } = ticketsText.tree
  return (
    <EmptyNote
      icon={<ListChecksIcon />}
      title={hidesClosed ? allClosed : empty}
      hint={hidesClosed ? allClosedHint : emptyHint}
    />
  )
}
