import { ListChecksIcon } from '@phosphor-icons/react'
import type { KeyboardEvent } from 'react'
import { ticketsText } from '../../../text/tickets.en.ts'
import { isModifierHeld } from '../../../ui/browser/held-modifier.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { currentMinute } from '../fields/due-date.ts'
import { RowWindow } from '../list/row-window.tsx'
import { hasShownChildren, type TicketTreeRow, treeKeyAction } from './tree-rows.ts'
import { TreeRowView } from './tree-row.tsx'
import { type OpenTree, useTicketTree } from './use-ticket-tree.ts'

const ROW_PX = 44

/** The ticket tree; a level is loaded when it is opened. */
export function TicketTree() {
  const tree = useTicketTree(usePane().projectId)
  const { rows, options } = tree
  const failure = tree.error ? (
    <FailureNote title={ticketsText.loadFailed} error={tree.error} onRetry={tree.retry} />
  ) : null
  if (failure && !rows.some(({ kind }) => kind === 'ticket')) return failure
  return (
    <>
      {failure}
      <label className="mb-1 flex min-h-8 items-center gap-2 px-2 text-[13px] text-kumo-subtle">
        <input
          type="checkbox"
          checked={options.active}
          onChange={(event) => tree.hideClosed(event.target.checked)}
          className="size-4"
        />
        {ticketsText.tree.hideClosed}
      </label>
      {rows.length === 0 ? <EmptyTree hidesClosed={options.active} /> : <TreeGrid tree={tree} />}
    </>
  )
}

function TreeGrid({ tree }: { tree: OpenTree }) {
  const { marks } = usePane()
  const { rows, options } = tree
  const onKeyDown = (event: KeyboardEvent) => {
    const { key, target } = event
    const id = target instanceof HTMLElement ? target.dataset['ticket'] : undefined
    if (id === undefined || (key !== 'ArrowLeft' && key !== 'ArrowRight') || isModifierHeld(event)) return
    const step = treeKeyAction(rows, id, key, options.active)
    if (step === null) return
    event.preventDefault()
    if ('toggle' in step) tree.toggle(step.toggle)
    else marks.focus(step.focus)
  }
  const now = currentMinute()
  return (
    <div role="treegrid" aria-label={ticketsText.tree.label} aria-rowcount={-1} onKeyDown={onKeyDown}>
      <RowWindow
        rows={rows}
        rowPx={ROW_PX}
        totalOf={() => null}
        attributesOf={(row) => ({
          'aria-level': row.level,
          ...(row.kind === 'ticket' &&
            hasShownChildren(row.ticket, options.active) && { 'aria-expanded': row.isExpanded }),
        })}
      >
        {(row, isReached) =>
          row.kind === 'ticket' ? (
            <TreeRowView
              ticket={row.ticket}
              level={row.level}
              canOpen={hasShownChildren(row.ticket, options.active)}
              isExpanded={row.isExpanded}
              isReached={isReached}
              rollup={tree.rollups?.[row.ticket.id]}
              now={now}
              onToggle={() => tree.toggle(row.ticket.id)}
            />
          ) : (
            <RestRow row={row} onMore={() => tree.more(row.parent)} />
          )
        }
      </RowWindow>
    </div>
  )
}

function RestRow({ row, onMore }: { row: Exclude<TicketTreeRow, { kind: 'ticket' }>; onMore: () => void }) {
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
