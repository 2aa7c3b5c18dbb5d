import { PlusIcon, XIcon } from '@phosphor-icons/react'
import { useQueries } from '@tanstack/react-query'
import { lazy, Suspense, useRef, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { isNotFound } from '../../../api/request/query-client.ts'
import { href } from '../../../routes.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'
import { Part } from './details-parts.tsx'

const TicketSearchDialog = lazy(() =>
  import('../dialogs/ticket-search-dialog.tsx').then((module) => ({ default: module.TicketSearchDialog })),
)
const ticketDetailsText = ticketsText.details

export function DependencyField(props: {
  projectId: string
  ticket: Ticket
  onChange: (dependsOn: string[]) => void
}) {
  const { projectId, ticket, onChange } = props
  const { dependsOn } = ticket
  const [isAdding, setAdding] = useState(false)
  const addButton = useRef<HTMLButtonElement>(null)
  const known = useQueries({ queries: dependsOn.map((id) => ticketQuery(projectId, id)) })
  return (
    <Part
      title={ticketDetailsText.dependsOn}
      action={
        <IconButton
          ref={addButton}
          aria-haspopup="dialog"
          label={ticketDetailsText.addDependency}
          icon={<PlusIcon />}
          onClick={() => setAdding(true)}
        />
      }
    >
      {dependsOn.length === 0 ? (
        <p className="text-kumo-subtle">{ticketDetailsText.noDependencies}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {dependsOn.map((id, place) => {
            const { data, error } = known[place] ?? {}
            // Show the id of a ticket that could not be read, because it may still exist.
            const title = data?.title ?? (isNotFound(error) ? ticketDetailsText.goneDependency : id)
            return (
              <li
                key={id}
                className="flex max-w-full min-w-0 items-center gap-1.5 rounded-full bg-kumo-fill pl-2.5 text-[13px]"
              >
                <StatusIcon status={data?.status ?? 'backlog'} className="size-4 shrink-0" />
                <a
                  href={href.project(projectId, { ticket: id, tab: 'ticket', pane: 'work' })}
                  className="min-w-0 truncate rounded-sm hover:underline"
                >
                  {title}
                </a>
                <IconButton
                  label={ticketDetailsText.removeDependency(title)}
                  icon={<XIcon />}
                  onClick={() => {
                    // Move the focus first: the pressed button is removed with its dependency.
                    addButton.current?.focus()
                    onChange(dependsOn.filter((other) => other !== id))
                  }}
                />
              </li>
            )
          })}
        </ul>
      )}
      <Suspense fallback={null}>
        {isAdding && (
          <TicketSearchDialog
            projectId={projectId}
            words={{
              ...ticketsText.dependencyDialog,
              hint: ticketsText.dependencyDialog.hint(ticket.title),
            }}
            offers={({ id, type }) => id !== ticket.id && type !== 'epic' && !dependsOn.includes(id)}
            onChoose={(id) => {
              setAdding(false)
              onChange([...dependsOn, id])
            }}
            onClose={() => setAdding(false)}
          />
        )}
      </Suspense>
    </Part>
  )
}
