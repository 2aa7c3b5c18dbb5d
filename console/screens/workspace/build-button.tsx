import { HammerIcon, ListPlusIcon, QuestionIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ReasonButton } from '../../ui/reason-button.tsx'
import { useBuildAction } from '../builds/use-build-action.ts'
import type { Go } from './use-place.ts'

const ICONS = { build: HammerIcon, answer: QuestionIcon, queue: ListPlusIcon }

/** Builds the chosen ticket, answers its questions, or queues it: whichever is possible now. */
export function BuildButton({ project, ticket, go }: { project: Project; ticket: Ticket | null; go: Go }) {
  const { action, act } = useBuildAction(project, ticket)
  const Icon = ICONS[action.kind]
  const actAndShow = () => {
    act()
    if (ticket) go({ ticket: ticket.id, tab: 'build', pane: 'work' })
  }
  return (
    <ReasonButton variant="secondary" icon={<Icon />} reason={action.reason} onClick={actAndShow}>
      {action.label}
    </ReasonButton>
  )
}
