import { KanbanIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useRef } from 'react'
import { ticketStatsQuery } from '../../../api/project/tickets.ts'
import { TICKET_STATUSES, type TicketStatus } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { isModifierHeld } from '../../../ui/browser/held-modifier.ts'
import { useWide } from '../../../ui/browser/use-media.ts'
import type { NavigateWorkspace } from '../../../state/use-workspace-location.ts'
import { BoardColumn } from './board-column.tsx'
import { neighbourInRow } from './board-keys.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'

/** The tickets in columns by status; a narrow screen shows one status at a time. */
export function Board({ go }: { go: NavigateWorkspace }) {
  const { filter, marks, order, projectId } = usePane()
  const hasNoTickets = useQuery(ticketStatsQuery(projectId)).data?.total === 0
  const wide = useWide()
  const standing = useRef<Partial<Record<TicketStatus, string[]>>>({})
  const shown = wide
    ? TICKET_STATUSES.filter((status) => filter.status === undefined || filter.status === status)
    : [filter.status ?? 'todo']
  const columns = () => shown.map((status) => standing.current[status] ?? [])
  order.current = () => columns().find((ids) => ids.includes(marks.cursor() ?? '')) ?? columns().flat()
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : null
    const onTicket = event.target instanceof HTMLElement && event.target.dataset['ticket']
    const next =
      by !== null && onTicket && !isModifierHeld(event) ? neighbourInRow(columns(), onTicket, by) : null
    if (next === null) return
    event.preventDefault()
    marks.focus(next)
  }
  if (hasNoTickets)
    return (
      <EmptyNote icon={<KanbanIcon />} title={workText.tickets.empty} hint={workText.tickets.emptyHint} />
    )
  return (
    <div
      role="group"
      aria-label={ticketsText.board.label}
      onKeyDown={onKeyDown}
      className={wide ? 'flex h-full min-h-0 gap-2 overflow-x-auto' : 'flex h-full min-h-0 flex-col gap-2'}
    >
      {!wide && <StatusPicker status={shown[0] ?? 'todo'} go={go} />}
      {shown.map((status) => (
        <BoardColumn
          key={status}
          status={status}
          hideHead={!wide}
          onOrder={(of, ids) => {
            standing.current[of] = ids
          }}
        />
      ))}
    </div>
  )
}

function StatusPicker({ status, go }: { status: TicketStatus; go: NavigateWorkspace }) {
  const { projectId } = usePane()
  const counts = useQuery(ticketStatsQuery(projectId)).data?.byStatus
  return (
    <NativeSelect
      label={ticketsText.board.column}
      hideLabel
      value={status}
      options={TICKET_STATUSES.map((value) => ({
        value,
        label: `${workText.tickets.status[value]}${counts ? ` (${counts[value]})` : ''}`,
      }))}
      onChange={(next) => go({ status: next }, { replace: true })}
    />
  )
}
