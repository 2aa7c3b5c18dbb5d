import { QuotesIcon } from '@phosphor-icons/react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { PRIORITIES, TICKET_STATUSES, TICKET_TYPES } from '../../api/types.ts'
import { workText } from '../../text/workspace.en.ts'
import { NativeSelect } from '../../ui/native-select.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { EditableText } from './editable-text.tsx'
import { RefusalNote } from './refusal-note.tsx'
import { useTicketChange } from './use-ticket-change.ts'

/** What a ticket says, each part changed in place. */
export function TicketDetails({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const change = useTicketChange(projectId, ticket.id)
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-6 p-4 sm:p-5">
        <RefusalNote ticketId={ticket.id} />
        <EditableText
          label={workText.tickets.fields.title}
          value={ticket.title}
          maxLength={200}
          onSave={(title) => change(workText.tickets.fields.title, { title })}
          className="text-[18px] leading-snug font-semibold text-kumo-strong"
        />
        <div className="grid gap-3 sm:grid-cols-3">
          <NativeSelect
            label={workText.tickets.fields.status}
            value={ticket.status}
            options={TICKET_STATUSES.map((value) => ({ value, label: workText.tickets.status[value] }))}
            onChange={(status) => change(workText.tickets.fields.status, { status })}
          />
          <NativeSelect
            label={workText.tickets.fields.type}
            value={ticket.type}
            options={TICKET_TYPES.map((value) => ({ value, label: workText.tickets.type[value] }))}
            onChange={(type) => change(workText.tickets.fields.type, { type })}
          />
          <NativeSelect
            label={workText.tickets.fields.priority}
            value={ticket.priority}
            options={PRIORITIES.map((value) => ({ value, label: workText.tickets.priority[value] }))}
            onChange={(priority) => change(workText.tickets.fields.priority, { priority })}
          />
        </div>
        {ticket.origin && <Origin words={ticket.origin} />}
        <section className="space-y-1.5">
          <h3 className="text-[13px] font-medium">{workText.tickets.fields.body}</h3>
          <EditableText
            label={workText.tickets.fields.body}
            value={ticket.body}
            maxLength={65_536}
            multiline
            empty={workText.tickets.noBody}
            onSave={(body) => change(workText.tickets.fields.body, { body })}
            className="leading-relaxed text-kumo-default"
          />
        </section>
        {ticket.labels.length > 0 && <Labels labels={ticket.labels} />}
        <p className="text-xs text-kumo-subtle">
          {SOURCES[ticket.source] && `${SOURCES[ticket.source]} · `}
          <RelativeTime at={ticket.createdAt} />
        </p>
      </div>
    </div>
  )
}

const SOURCES: Record<Ticket['source'], string> = {
  human: '',
  agent: workText.tickets.agent,
  ingest: workText.tickets.ingest,
}

function Origin({ words }: { words: string }) {
  return (
    <figure className="rounded-xl bg-tide-tint p-4 ring-1 ring-tide-line">
      <figcaption className="mb-1 flex items-center gap-1.5 text-xs font-medium text-kumo-subtle">
        <QuotesIcon weight="fill" className="text-tide" aria-hidden="true" />
        {workText.tickets.fields.origin}
      </figcaption>
      <blockquote className="text-[15px] leading-relaxed break-words whitespace-pre-wrap text-kumo-strong">
        {words}
      </blockquote>
    </figure>
  )
}

function Labels({ labels }: { labels: string[] }) {
  return (
    <section className="space-y-1.5">
      <h3 className="text-[13px] font-medium">{workText.tickets.fields.labels}</h3>
      <ul className="flex flex-wrap gap-1.5">
        {labels.map((label) => (
          <li key={label} className="rounded-full bg-kumo-fill px-2.5 py-0.5 text-xs">
            {label}
          </li>
        ))}
      </ul>
    </section>
  )
}
