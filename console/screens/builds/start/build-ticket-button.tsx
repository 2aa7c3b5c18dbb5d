import { HammerIcon, ListPlusIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useBuildAction } from './use-build-action.ts'
import { Button } from '../../../ui/controls/button.tsx'

export function BuildTicketButton(props: {
  project: Project
  ticket: Ticket
  label: string
  variant?: 'primary' | 'secondary'
  size?: 'sm' | 'base'
}) {
  const { action, act, isBusy } = useBuildAction(props.project, props.ticket)
  if (action.reason !== null) return null
  const isQueue = action.kind === 'queue'
  return (
    <Button
      size={props.size ?? 'base'}
      variant={props.variant ?? 'secondary'}
      icon={isQueue ? <ListPlusIcon /> : <HammerIcon />}
      loading={isBusy}
      onClick={act}
    >
      {isQueue ? action.label : props.label}
    </Button>
  )
}
