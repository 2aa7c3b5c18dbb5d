import { useEffect, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { PRIORITIES, TICKET_STATUSES, TICKET_TYPES, type TicketChange } from '../../../api/types.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { Markdown } from '../../../ui/markdown/markdown.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { Origin, Part, Provenance } from './details-parts.tsx'
import { DependencyField } from './dependency-field.tsx'
import { DueField } from './due-field.tsx'
import { EditableText } from './editable-text.tsx'
import { LabelField } from './label-field.tsx'
import { ParentField } from './parent-field.tsx'
import { RefusalNote } from '../fields/refusal-note.tsx'
import { TicketAttachments, useTicketFiles } from './ticket-attachments.tsx'
import { requestTitleEdit, useTitleRequest } from '../../../state/tickets/title-request.ts'
import { useTicketChange } from '../../../state/tickets/use-ticket-change.ts'

const { fields } = workText.tickets

type ChangeTicket = (field: string, change: TicketChange) => Promise<boolean>

export function TicketDetails({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const change = useTicketChange(projectId, ticket.id)
  const isTitleAsked = useTitleRequest(ticket.id)
  const files = useTicketFiles(projectId, ticket)
  const [timesAsked, setTimesAsked] = useState(0)
  useEffect(() => {
    if (!isTitleAsked) return
    setTimesAsked((times) => times + 1)
    requestTitleEdit(null)
  }, [isTitleAsked])
  return (
    <div {...files.handlers} className="min-h-0 flex-1 overflow-y-auto">
      <div className="mx-auto max-w-2xl space-y-5 p-4 sm:p-5">
        <RefusalNote ticketId={ticket.id} />
        <EditableText
          // Each request to edit the title changes the key, which opens the field again.
          key={timesAsked}
          label={fields.title}
          value={ticket.title}
          maxLength={200}
          draft={{ kind: 'ticket-title', id: ticket.id }}
          startsOpen={timesAsked > 0}
          onSave={(title) => change(fields.title, { title })}
          className="text-[18px] leading-snug font-semibold text-kumo-strong"
        >
          {ticket.title}
        </EditableText>
        <TicketProperties ticket={ticket} change={change} />
        {ticket.origin && <Origin words={ticket.origin} />}
        <Part title={fields.body}>
          <EditableText
            label={fields.body}
            value={ticket.body}
            multiline
            draft={{ kind: 'ticket-body', id: ticket.id }}
            onSave={(body) => change(fields.body, { body })}
            className="leading-relaxed text-kumo-default"
          >
            {ticket.body === '' ? (
              <p className="text-kumo-subtle">{workText.tickets.noBody}</p>
            ) : (
              <Markdown text={ticket.body} />
            )}
          </EditableText>
        </Part>
        <TicketAttachments projectId={projectId} ticket={ticket} files={files} />
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2">
          <LabelField projectId={projectId} ticket={ticket} />
          <ParentField projectId={projectId} ticket={ticket} />
        </div>
        {ticket.type !== 'epic' && (
          <DependencyField
            projectId={projectId}
            ticket={ticket}
            onChange={(dependsOn) => void change(ticketsText.details.dependsOn, { dependsOn })}
          />
        )}
        <Provenance ticket={ticket} />
      </div>
    </div>
  )
}

function TicketProperties({ ticket, change }: { ticket: Ticket; change: ChangeTicket }) {
  return (
    <div
      role="group"
      aria-label={ticketsText.details.properties}
      className="grid grid-cols-[repeat(auto-fit,minmax(9rem,1fr))] gap-3"
    >
      <NativeSelect
        label={fields.status}
        value={ticket.status}
        options={TICKET_STATUSES.map((value) => ({ value, label: workText.tickets.status[value] }))}
        onChange={(status) => void change(fields.status, { status })}
      />
      <NativeSelect
        label={fields.priority}
        value={ticket.priority}
        options={PRIORITIES.map((value) => ({ value, label: workText.tickets.priority[value] }))}
        onChange={(priority) => void change(fields.priority, { priority })}
      />
      <NativeSelect
        label={fields.type}
        value={ticket.type}
        options={TICKET_TYPES.map((value) => ({ value, label: workText.tickets.type[value] }))}
        onChange={(type) => void change(fields.type, { type })}
      />
      <DueField
        key={ticket.id}
        ticket={ticket}
        onChange={(dueAt) => void change(ticketsText.details.due, { dueAt })}
      />
    </div>
  )
}
