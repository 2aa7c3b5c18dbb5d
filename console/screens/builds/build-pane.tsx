import { Button } from '@cloudflare/kumo/components/button'
import { HammerIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { ticketsQuery } from '../../api/tickets.ts'
import { href } from '../../routes.ts'
import { workText } from '../../text/workspace.en.ts'
import { EmptyNote } from '../../ui/empty-note.tsx'
import { FailureNote } from '../../ui/failure.tsx'
import { Bar, Skeleton } from '../../ui/skeleton.tsx'
import { BuildAnnouncer } from './announcer.tsx'
import { startBuild } from './build-follower.ts'
import { isUnderWay } from './build-state.ts'
import { BuildStatus } from './build-status.tsx'
import { ChecksCard } from './checks-card.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { FilesCard } from './files-card.tsx'
import { FollowingScroll } from './following-scroll.tsx'
import { Outcome } from './outcome.tsx'
import { Timeline } from './timeline.tsx'
import { useBuild } from './use-build.ts'

/** The latest build of a ticket, live while it runs. */
export function BuildPane({ project, ticket }: { project: Project; ticket: Ticket }) {
  const view = useBuild(ticket.id)
  const start = () => startBuild(project.id, ticket.id)
  if (!view && ticket.build.runId === null) return <NotBuilt ticket={ticket} onStart={start} />
  if (!view || view.isReplay) return <BuildSkeleton />
  if (view.refusal !== null && view.state.run === null)
    return (
      <div className="space-y-3 p-4">
        <FailureNote title={workText.build.startFailed} error={view.refusal} onRetry={start} />
        <RunningElsewhere projectId={project.id} ticketId={ticket.id} />
      </div>
    )
  const { state } = view
  const running = isUnderWay(state)
  return (
    <>
      <BuildStatus project={project} ticket={ticket} view={view} />
      <ConnectionNote view={view} ticketId={ticket.id} />
      <FollowingScroll active={running}>
        <div className="space-y-4 p-4">
          {!running && <Outcome project={project} ticket={ticket} state={state} onBuildAgain={start} />}
          {running && <Timeline state={state} />}
          {state.checks.length > 0 && <ChecksCard checks={state.checks} />}
          {state.files.length > 0 && <FilesCard files={state.files} />}
          {!running && state.steps.length > 0 && (
            <details className="group rounded-xl bg-kumo-base ring-1 ring-kumo-line">
              <summary className="cursor-pointer rounded-xl px-4 py-2.5 text-[13px] font-medium hover:bg-kumo-tint">
                {workText.build.logFolded}
              </summary>
              <div className="border-t border-kumo-line p-4">
                <Timeline state={state} />
              </div>
            </details>
          )}
        </div>
      </FollowingScroll>
      <BuildAnnouncer state={state} />
    </>
  )
}

/** One build at a time in a project: when another ticket holds the place, that one is a press away. */
function RunningElsewhere({ projectId, ticketId }: { projectId: string; ticketId: string }) {
  const tickets = useQuery(ticketsQuery(projectId)).data ?? []
  const running = tickets.find((ticket) => ticket.id !== ticketId && ticket.build.state === 'running')
  if (!running) return null
  return (
    <p className="text-[13px]">
      <a
        href={href.project(projectId, { ticket: running.id, tab: 'build' })}
        className="text-kumo-link underline underline-offset-3"
      >
        {workText.build.watchRunning(running.title)}
      </a>
    </p>
  )
}

function NotBuilt({ ticket, onStart }: { ticket: Ticket; onStart: () => void }) {
  return (
    <EmptyNote
      icon={<HammerIcon />}
      title={workText.build.noneYet}
      hint={ticket.type === 'epic' ? workText.build.why.epic : workText.build.noneYetHint}
      level="h3"
      action={
        ticket.type === 'epic' ? undefined : (
          <Button variant="primary" icon={<HammerIcon />} onClick={onStart}>
            {workText.build.startTicket}
          </Button>
        )
      }
    />
  )
}

function BuildSkeleton() {
  return (
    <Skeleton>
      <div className="space-y-4 p-4">
        <Bar className="w-2/5" />
        <Bar className="h-32!" />
        <Bar className="h-24!" />
      </div>
    </Skeleton>
  )
}
