import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { lazy, Suspense, useEffect } from 'react'
import { projectQuery } from '../../api/project/projects.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { text } from '../../text/en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { usePageTitle } from '../../ui/page/page.tsx'
import { PaneBoundary } from '../../ui/page/pane-boundary.tsx'
import { Bar, Skeleton } from '../../ui/page/skeleton.tsx'
import { useWide } from '../../ui/browser/use-media.ts'
import { followBuild, watchVisibility } from '../../state/builds/build-follower.ts'
import { PreviewPane } from '../preview/preview-pane.tsx'
import { TicketsPane } from '../tickets/pane/tickets-pane.tsx'
import { WorkspaceHeader } from './header.tsx'
import { BoardPanes } from './board-panes.tsx'
import { NarrowPanes } from './narrow-panes.tsx'
import { useChosenTicket } from './use-chosen-ticket.ts'
import { useWorkspaceLocation } from '../../state/use-workspace-location.ts'
import { useImpliedSelection } from './use-implied-selection.ts'
import { useWorkKeys } from './use-work-keys.ts'
import { WorkPane } from './work-pane.tsx'

// Loaded on demand: a phone does not need the panel library.
const WidePanes = lazy(() => import('./wide-panes.tsx').then((module) => ({ default: module.WidePanes })))

export function Workspace() {
  const { projectId } = useParams({ from: '/app/projects/$projectId' })
  const project = useQuery(projectQuery(projectId))
  const { place, go } = useWorkspaceLocation(projectId)
  const wide = useWide()
  // A board takes the whole width and shows a ticket only when the user opens one.
  const isBoard = wide && place.view === 'board'
  usePageTitle(project.data?.name ?? text.projects.title)

  const chosen = useChosenTicket(projectId, place.ticket, !isBoard)
  const { ticket } = chosen
  // When the URL names no tab, the tab depends on the ticket, so wait until the ticket is loaded.
  const tab = place.tab ?? (chosen.isPending ? undefined : ticket || chosen.failure ? 'build' : 'plan')
  const runId = ticket?.build.runId ?? null
  useEffect(() => {
    if (ticket && runId) followBuild(projectId, ticket.id, runId, ticket.build.state === 'running')
  }, [projectId, ticket, runId])
  useEffect(watchVisibility, [])
  useImpliedSelection(isBoard ? null : place, tab, chosen, go)
  useWorkKeys(go)

  if (project.isError && !project.data) {
    const missing = project.error instanceof SlipwayError && project.error.code === 'not_found'
    if (missing) return <NotFound />
    return (
      <div className="mx-auto max-w-lg p-8">
        <FailureNote
          title={text.failure.title}
          error={project.error}
          onRetry={() => void project.refetch()}
        />
      </div>
    )
  }
  if (!project.data) return <WorkspaceSkeleton />

  const panes = {
    tickets: (
      <PaneBoundary>
        <TicketsPane
          projectId={projectId}
          view={place.view}
          filter={place.filter}
          chosen={ticket?.id ?? null}
          detailed={wide && tab === 'ticket' && ticket ? ticket.id : null}
          go={go}
        />
      </PaneBoundary>
    ),
    work: (
      <PaneBoundary>
        <WorkPane project={project.data} chosen={chosen} tab={tab} go={go} />
      </PaneBoundary>
    ),
    preview: (
      <PaneBoundary>
        <PreviewPane project={project.data} ticket={ticket} />
      </PaneBoundary>
    ),
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <WorkspaceHeader project={project.data} ticket={ticket} go={go} />
      {isBoard ? (
        <BoardPanes
          tickets={panes.tickets}
          work={place.ticket || place.tab === 'plan' ? panes.work : null}
          onClose={() => go({ ticket: undefined, tab: undefined })}
        />
      ) : wide ? (
        <Suspense fallback={<div className="flex-1" />}>
          <WidePanes {...panes} />
        </Suspense>
      ) : (
        <NarrowPanes panes={panes} pane={place.pane} go={go} />
      )}
    </div>
  )
}

function WorkspaceSkeleton() {
  return (
    <Skeleton>
      <div className="flex h-14 items-center gap-3 border-b border-kumo-line px-4">
        <Bar className="size-7!" />
        <Bar className="w-48" />
      </div>
      <div className="grid gap-4 p-4 lg:grid-cols-3">
        {[1, 2, 3].map((pane) => (
          <div key={pane} className="space-y-3">
            <Bar className="w-1/3" />
            <Bar className="h-16!" />
            <Bar className="h-16!" />
          </div>
        ))}
      </div>
    </Skeleton>
  )
}
