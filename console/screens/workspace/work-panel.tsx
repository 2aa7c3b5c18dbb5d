import { CursorClickIcon } from '@phosphor-icons/react'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { ticketStatsQuery } from '../../api/project/tickets.ts'
import type { WorkTab } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { workText } from '../../text/workspace.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { EmptyNote } from '../../ui/page/empty-note.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { BuildPane } from '../builds/live/build-pane.tsx'
import { TicketDetails } from '../tickets/details/ticket-details.tsx'
import { TicketMissing } from '../tickets/details/ticket-missing.tsx'
import type { ChosenTicket } from './use-chosen-ticket.ts'
import type { NavigateWorkspace } from '../../state/use-workspace-location.ts'

const PlanPane = lazy(() => import('../plan/plan-pane.tsx').then((module) => ({ default: module.PlanPane })))

export interface WorkPanelProps {
  project: Project
  chosen: ChosenTicket
  tab: WorkTab
  hasReadme: boolean
  go: NavigateWorkspace
}

export function WorkPanel({ project, chosen, tab, hasReadme, go }: WorkPanelProps) {
  const { ticket } = chosen
  if (tab === 'plan')
    return (
      <Suspense fallback={<PanelSkeleton />}>
        <PlanPane key={project.id} project={project} hasReadme={hasReadme} />
      </Suspense>
    )
  if (chosen.isMissing) return <TicketMissing />
  if (chosen.isPending) return <PanelSkeleton />
  if (chosen.failure)
    return (
      <div className="p-4">
        <FailureNote
          title={text.failure.title}
          error={chosen.failure.error}
          onRetry={() => void chosen.failure?.retry()}
        />
      </div>
    )
  if (!ticket) return <NoTicket projectId={project.id} tab={tab} go={go} />
  return tab === 'build' ? (
    <BuildPane key={ticket.id} project={project} ticket={ticket} />
  ) : (
    <TicketDetails key={ticket.id} projectId={project.id} ticket={ticket} />
  )
}

function NoTicket({
  projectId,
  tab,
  go,
}: {
  projectId: string
  tab: 'build' | 'ticket'
  go: NavigateWorkspace
}) {
  const isNew = useQuery(ticketStatsQuery(projectId)).data?.total === 0
  const { noTicket } = workText.workspace
  return (
    <EmptyNote
      icon={<CursorClickIcon />}
      title={isNew ? noTicket.titleNew : noTicket[tab]}
      hint={isNew ? noTicket.hintNew : noTicket.hint}
      action={<Button onClick={() => go({ tab: 'plan' })}>{noTicket.action}</Button>}
    />
  )
}

export function PanelSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4 p-4">
        <Bar className="w-2/5" />
        <Bar className="h-24!" />
      </div>
    </Skeleton>
  )
}
