import { PencilSimpleIcon } from '@phosphor-icons/react'
import { lazy, Suspense, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../../routes.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { workText } from '../../../text/workspace.en.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Part } from './details-parts.tsx'

const LabelDialog = lazy(() =>
  import('../dialogs/label-dialog.tsx').then((module) => ({ default: module.LabelDialog })),
)

export function LabelField({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const [isEditing, setEditing] = useState(false)
  const { labels } = ticket
  const action = labels.length === 0 ? ticketsText.details.addLabels : ticketsText.details.editLabels
  return (
    <Part
      title={workText.tickets.fields.labels}
      action={
        <IconButton
          aria-haspopup="dialog"
          label={action}
          icon={<PencilSimpleIcon />}
          onClick={() => setEditing(true)}
        />
      }
    >
      {labels.length === 0 ? (
        <p className="text-kumo-subtle">{ticketsText.details.noLabels}</p>
      ) : (
        <ul className="flex flex-wrap gap-1.5">
          {labels.map((label) => (
            <li key={label} className="min-w-0">
              <a
                href={href.project(projectId, { label, ticket: ticket.id, tab: 'ticket', pane: 'tickets' })}
                className="inline-block max-w-full min-h-6 truncate rounded-full bg-kumo-fill px-2.5 py-0.5 text-xs hover:bg-kumo-fill-hover"
              >
                {label}
              </a>
            </li>
          ))}
        </ul>
      )}
      <Suspense fallback={null}>
        {isEditing && (
          <LabelDialog projectId={projectId} ids={[ticket.id]} onClose={() => setEditing(false)} />
        )}
      </Suspense>
    </Part>
  )
}
