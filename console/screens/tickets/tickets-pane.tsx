import { ListChecksIcon } from '@phosphor-icons/react'
import type { UseQueryResult } from '@tanstack/react-query'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { text } from '../../text/en.ts'
import { workText } from '../../text/workspace.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure.tsx'
import { Bar, Skeleton } from '../../ui/skeleton.tsx'
import { isOpen } from '../workspace/selection.ts'
import type { Go } from '../workspace/use-place.ts'
import { CaptureBox } from './capture-box.tsx'
import { TicketRow } from './ticket-row.tsx'
import { usePendingSentences } from './use-capture.ts'

const SHOWN_AT_MOST = 500

/** All tickets of a project, with the box at the foot that makes the next one. */
export function TicketsPane(props: {
  projectId: string
  tickets: UseQueryResult<Ticket[]>
  selected: string | null
  go: Go
}) {
  return (
    <>
      <div className="min-h-0 flex-1 overflow-y-auto bg-kumo-canvas px-2 py-2">
        <TicketLists {...props} />
      </div>
      <div className="shrink-0 border-t border-kumo-line bg-kumo-base p-2.5">
        <CaptureBox
          projectId={props.projectId}
          onCaptured={(ticket) => props.go({ ticket: ticket.id, tab: 'build' })}
        />
      </div>
    </>
  )
}

function TicketLists(props: {
  projectId: string
  tickets: UseQueryResult<Ticket[]>
  selected: string | null
  go: Go
}) {
  const { tickets, selected, go } = props
  const pending = usePendingSentences(props.projectId)
  if (tickets.isPending) return <ListSkeleton />
  if (tickets.isError && !tickets.data)
    return (
      <FailureNote title={text.failure.title} error={tickets.error} onRetry={() => void tickets.refetch()} />
    )
  const open = tickets.data.filter(isOpen)
  const closed = tickets.data.filter((ticket) => !isOpen(ticket))
  if (tickets.data.length === 0 && pending.length === 0)
    return (
      <EmptyNote icon={<ListChecksIcon />} title={workText.tickets.empty} hint={workText.tickets.emptyHint} />
    )
  const choose = (ticket: Ticket) =>
    go({ ticket: ticket.id, tab: ticket.build.runId ? 'build' : 'ticket', pane: 'work' })
  return (
    <>
      <TicketGroup title={workText.tickets.open} count={open.length + pending.length}>
        {pending.map((sentence) => (
          <li key={sentence} className="rounded-lg px-2.5 py-2 opacity-60">
            <p className="line-clamp-2">{sentence}</p>
            <p className="animate-pulse-dot text-xs text-kumo-subtle">{workText.tickets.pending}</p>
          </li>
        ))}
        {open.map((ticket) => (
          <TicketRow
            key={ticket.id}
            ticket={ticket}
            current={ticket.id === selected}
            onChoose={() => choose(ticket)}
          />
        ))}
      </TicketGroup>
      {closed.length > 0 && (
        <TicketGroup title={workText.tickets.closed} count={closed.length}>
          {closed.map((ticket) => (
            <TicketRow
              key={ticket.id}
              ticket={ticket}
              current={ticket.id === selected}
              onChoose={() => choose(ticket)}
            />
          ))}
        </TicketGroup>
      )}
      {tickets.data.length >= SHOWN_AT_MOST && (
        <p className="p-3 text-xs text-kumo-subtle">{workText.tickets.truncated}</p>
      )}
    </>
  )
}

function TicketGroup({
  title,
  count,
  children,
}: {
  title: string
  count: number
  children: React.ReactNode
}) {
  return (
    <section aria-label={title} className="mb-3">
      <h2 className="flex items-center gap-2 px-2.5 py-1.5 text-xs font-medium text-kumo-subtle">
        {title}
        <span className="tabular-nums">{count}</span>
      </h2>
      <ul className="space-y-px">{children}</ul>
    </section>
  )
}

function ListSkeleton() {
  return (
    <Skeleton>
      {[1, 2, 3].map((row) => (
        <div key={row} className="space-y-2 px-2.5 py-2.5">
          <Bar className="w-4/5" />
          <Bar className="h-3! w-1/3" />
        </div>
      ))}
    </Skeleton>
  )
}
