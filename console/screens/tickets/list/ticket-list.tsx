import { CaretRightIcon, ListChecksIcon, MagnifyingGlassIcon } from '@phosphor-icons/react'
import { useEffect, useEffectEvent } from 'react'
import { useFirstRead } from '../../../lib/first-read.ts'
import type { TicketStatus } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { currentMinute } from '../fields/due-date.ts'
import { LIST_ORDER, type ListRow, listRows, type StatusGroup } from './list-rows.ts'
import { RowWindow } from './row-window.tsx'
import { hasFilter, NO_FILTER } from '../../../state/tickets/ticket-filter.ts'
import { TicketRow } from './ticket-row.tsx'
import { usePendingSentences } from './use-capture.ts'
import { useCollapsedStatuses } from './use-collapsed-statuses.ts'
import { type LiveGroup, useStatusGroup } from './use-status-groups.ts'

const ROW_PX = 52

/**
 * Tickets grouped by status; only visible rows are rendered, and pages are loaded when they are scrolled to.
 */
export function TicketList({ go }: { go: NavigateWorkspace }) {
  const { projectId, filter } = usePane()
  const [folded, toggle] = useCollapsedStatuses(hasFilter(filter))
  const pending = usePendingSentences(projectId)
  const groups = LIST_ORDER.map((status) =>
    // A hook in a loop is safe here, because the list of statuses is constant.
    useStatusGroup(projectId, filter, status, filter.status === undefined && folded.has(status)),
  )
  // Show all groups at once: a group that is added later, or turns out to be empty, moves the groups below it.
  const isFirstRead = useFirstRead(
    JSON.stringify(filter),
    groups.some((group) => group.isFirstRead),
  )
  if (isFirstRead) return <RowSkeletons count={3} />
  const rows = listRows(groups, pending)
  if (rows.length === 0) return <EmptyTicketList go={go} />
  const now = currentMinute()
  return (
    <div role="table" aria-label={ticketsText.list} aria-rowcount={rowCount(groups, rows)}>
      <RowWindow
        rows={rows}
        rowPx={ROW_PX}
        totalOf={(status) => groups.find((group) => group.status === status)?.total ?? null}
      >
        {(row, isReached) =>
          row.kind === 'ticket' ? (
            <TicketRow ticket={row.ticket} now={now} isReached={isReached} />
          ) : (
            <div role="cell">
              <OtherRow row={row} groups={groups} onToggle={toggle} />
            </div>
          )
        }
      </RowWindow>
    </div>
  )
}

/** The total number of rows; -1 (as in `aria-rowcount`) when it is unknown. */
function rowCount(groups: StatusGroup[], rows: ListRow[]): number {
  const open = groups.filter(({ isFolded }) => !isFolded)
  if (open.some(({ total }) => total === null)) return -1
  const others = rows.filter(({ kind }) => kind === 'group' || kind === 'pending').length
  return others + open.reduce((sum, { total }) => sum + (total ?? 0), 0)
}

function OtherRow(props: {
  row: Exclude<ListRow, { kind: 'ticket' }>
  groups: LiveGroup[]
  onToggle: (status: TicketStatus) => void
}) {
  const { row } = props
  if (row.kind === 'pending') return <PendingRow sentence={row.sentence} />
  const group = props.groups.find(({ status }) => status === row.group.status)
  if (row.kind === 'group') return <GroupHead group={row.group} onToggle={props.onToggle} />
  if (row.kind === 'failed')
    return (
      <div className="p-2">
        <FailureNote title={ticketsText.loadFailed} error={row.group.error} onRetry={() => group?.retry()} />
      </div>
    )
  return (
    <>
      {row.kind === 'more' && group && <MoreMark group={group} />}
      <RowSkeletons count={1} />
    </>
  )
}

function RowSkeletons({ count }: { count: number }) {
  return (
    <Skeleton>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className="space-y-2 px-2.5 py-2.5">
          <Bar className="w-4/5" />
          <Bar className="h-3! w-1/3" />
        </div>
      ))}
    </Skeleton>
  )
}

/** Mounted when the end of the loaded tickets is scrolled to. Loads the next page. */
function MoreMark({ group }: { group: LiveGroup }) {
  const more = useEffectEvent(() => group.loadMore())
  const { isReading, tickets } = group
  useEffect(() => {
    if (!isReading) more()
  }, [isReading, tickets.length])
  return null
}

function GroupHead({ group, onToggle }: { group: StatusGroup; onToggle: (status: TicketStatus) => void }) {
  const name = workText.tickets.status[group.status]
  const count =
    group.total ?? (group.hasMore ? ticketsText.atLeast(group.tickets.length) : group.tickets.length)
  return (
    <h3 className="pt-2 text-xs font-medium text-kumo-subtle">
      <button
        type="button"
        aria-expanded={!group.isFolded}
        onClick={() => onToggle(group.status)}
        className="flex min-h-7 w-full cursor-pointer items-center gap-1.5 rounded-md px-2 text-left hover:bg-kumo-tint"
      >
        <CaretRightIcon
          className={`size-3 transition-transform ${group.isFolded ? '' : 'rotate-90'}`}
          aria-hidden="true"
        />
        {name}
        <span className="tabular-nums">{count}</span>
      </button>
    </h3>
  )
}

function PendingRow({ sentence }: { sentence: string }) {
  return (
    <div className="rounded-lg px-2.5 py-2 opacity-60">
      <p className="line-clamp-2">{sentence}</p>
      <p className="animate-pulse-dot text-xs text-kumo-subtle">{workText.tickets.pending}</p>
    </div>
  )
}

function EmptyTicketList({ go }: { go: NavigateWorkspace }) {
  const { filter } = usePane()
  if (!hasFilter(filter))
    return (
      <EmptyNote icon={<ListChecksIcon />} title={workText.tickets.empty} hint={workText.tickets.emptyHint} />
    )
  return (
    <EmptyNote
      icon={<MagnifyingGlassIcon />}
      title={ticketsText.noMatch}
      hint={ticketsText.noMatchHint}
      action={
        <Button size="sm" onClick={() => go(NO_FILTER)}>
          {ticketsText.clear}
        </Button>
      }
    />
  )
}
