import { HammerIcon } from '@phosphor-icons/react'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { usageQuery } from '../../../api/project/runs.ts'
import { usageText } from '../../../text/runs.en.ts'
import { countOf, formatCost, formatCount } from '../../../lib/format.ts'
import { workText } from '../../../text/workspace.en.ts'
import { EmptyNote } from '../../../ui/page/empty-note.tsx'
import { LiveRegion } from '../../../ui/page/live-region.tsx'
import { Bar, Skeleton } from '../../../ui/page/skeleton.tsx'
import { type BuildState, isUnderWay } from '../../../state/builds/build-state.ts'
import { BuildTicketButton } from '../start/build-ticket-button.tsx'
import { BuildResults } from '../outcome/build-results.tsx'
import { BuildStatus } from './build-status.tsx'
import { ConnectionNote } from './connection-note.tsx'
import { FollowingScroll } from '../../../ui/lists/following-scroll.tsx'
import { BuildOutcome } from '../outcome/outcome.tsx'
import { QueuePosition } from '../queue/queue-notes.tsx'
import { BuildRefusal } from '../start/build-refusal.tsx'
import { SteerBox } from './steer-box.tsx'
import { Timeline } from './timeline.tsx'
import { useBuild } from '../../../state/builds/use-build.ts'
import { hasEntry } from '../../../lib/fields.ts'

export function BuildPane({ project, ticket }: { project: Project; ticket: Ticket }) {
  const view = useBuild(ticket.id)
  if (!view && ticket.build.runId === null) return <NotBuilt project={project} ticket={ticket} />
  if (!view || view.isReplay) return <BuildSkeleton />
  if (view.refusal !== null && view.state.run === null)
    return <BuildRefusal project={project} ticket={ticket} view={view} />
  const { state } = view
  const running = isUnderWay(state)
  return (
    <>
      <BuildStatus
        // A key per run, so that a stop button pressed in one run can be pressed again in the next run.
        key={state.run}
        projectId={project.id}
        ticketId={ticket.id}
        phase={state.phase}
        run={state.run}
        stepCount={state.steps.length}
        stepLimit={state.stepLimit}
        usage={state.usage}
        model={state.model}
      />
      <ConnectionNote view={view} ticketId={ticket.id} />
      <QueuePosition projectId={project.id} ticketId={ticket.id} />
      <FollowingScroll label={workText.build.log} isGrowing={running}>
        <div className="space-y-4 p-4">
          {!running && <BuildOutcome project={project} ticket={ticket} state={state} />}
          {running && <Timeline state={state} />}
          <BuildResults
            projectId={project.id}
            ticket={ticket}
            phase={state.phase}
            checks={state.checks}
            files={state.files}
            sha={state.sha}
          />
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
      {state.phase === 'running' && <SteerBox projectId={project.id} ticketId={ticket.id} />}
      <BuildAnnouncer state={state} />
    </>
  )
}

function NotBuilt({ project, ticket }: { project: Project; ticket: Ticket }) {
  const median = useQuery(usageQuery(project.id)).data?.medianBuild
  const cost = median?.costUsd == null ? null : formatCost(median.costUsd)
  const estimate = median ? ` ${usageText.median(formatCount(median.tokens), cost)}` : ''
  return (
    <>
      <QueuePosition projectId={project.id} ticketId={ticket.id} />
      <EmptyNote
        icon={<HammerIcon />}
        title={workText.build.noneYet}
        hint={ticket.type === 'epic' ? workText.build.why.epic : workText.build.noneYetHint + estimate}
        level="h3"
        action={
          <BuildTicketButton
            project={project}
            ticket={ticket}
            label={workText.build.startTicket}
            variant="primary"
          />
        }
      />
    </>
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

function BuildAnnouncer({ state }: { state: BuildState }) {
  return <LiveRegion sentence={announcementOf(state)} isRunning={isUnderWay(state)} />
}

function announcementOf(state: BuildState): string {
  if (state.phase === 'built') return workText.build.spoken.built(countOf(state.files.length, 'file'))
  if (hasEntry(workText.build.ended, state.phase)) return workText.build.ended[state.phase]
  const step = state.steps.at(-1)
  if (!step) return workText.build.phases[state.phase]
  const path = step.writing?.path ?? step.tools.at(-1)?.path
  return path ? workText.build.spoken.writing(step.n, path) : workText.build.spoken.step(step.n)
}
