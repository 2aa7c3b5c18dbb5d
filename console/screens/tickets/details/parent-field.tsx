import { PencilSimpleIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { href } from '../../../routes.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { IconButton } from '../../../ui/controls/icon-button.tsx'
import { Part } from './details-parts.tsx'
import { StatusIcon } from '../../../ui/page/status-icon.tsx'

const ParentDialog = lazy(() =>
  import('../dialogs/parent-dialog.tsx').then((module) => ({ default: module.ParentDialog })),
)

export function ParentField({ projectId, ticket }: { projectId: string; ticket: Ticket }) {
  const [isMoving, setMoving] = useState(false)
  const { parent } = ticket
  const above = useQuery({ ...ticketQuery(projectId, parent ?? ''), enabled: parent !== null }).data
  return (
    <Part
      title={ticketsText.details.parent}
      action={
        <IconButton
          aria-haspopup="dialog"
          label={ticketsText.details.changeParent}
          icon={<PencilSimpleIcon />}
          onClick={() => setMoving(true)}
        />
      }
    >
      {parent === null ? (
        <p className="text-kumo-subtle">{ticketsText.details.noParent}</p>
      ) : (
        <a
          href={href.project(projectId, { ticket: parent, tab: 'ticket', pane: 'work' })}
          className="inline-flex max-w-full items-center gap-2 rounded-sm text-kumo-link underline-offset-3 hover:underline"
        >
          {above && <StatusIcon status={above.status} className="size-4 shrink-0" />}
          <span className="truncate">{above?.title ?? parent}</span>
        </a>
      )}
      <Suspense fallback={null}>
        {isMoving && (
          <ParentDialog projectId={projectId} ticketId={ticket.id} onClose={() => setMoving(false)} />
        )}
      </Suspense>
    </Part>
  )
}
