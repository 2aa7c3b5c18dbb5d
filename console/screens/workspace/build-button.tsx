import { HammerIcon, ListPlusIcon, QuestionIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useCommand } from '../../shell/palette/commands.ts'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { useBuildAction } from '../builds/start/use-build-action.ts'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'

const ICONS = { build: HammerIcon, answer: QuestionIcon, queue: ListPlusIcon }

export function BuildButton({
  project,
  ticket,
  go,
}: {
  project: Project
  ticket: Ticket | null
  go: NavigateWorkspace
}) {
  const { action, act } = useBuildAction(project, ticket)
  const Icon = ICONS[action.kind]
  const actAndShow = () => {
    act()
    if (ticket) go({ ticket: ticket.id, tab: 'build', pane: 'work' })
  }
  useCommand({
    id: 'build',
    words: ticket ? `${action.label}: ${ticket.title}` : action.label,
    icon: <Icon />,
    reason: action.reason,
    run: actAndShow,
  })
  return (
    <ReasonButton variant="secondary" icon={<Icon />} reason={action.reason} onClick={actAndShow}>
      {action.label}
    </ReasonButton>
  )
}
