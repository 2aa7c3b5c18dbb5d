import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { runQuery } from '../../api/project/builds.ts'
import { isNotFound } from '../../api/request/query-client.ts'
import { isRunActive, RUN_REFETCH_MS } from '../../api/project/runs.ts'
import { ticketQuery } from '../../api/project/tickets.ts'
import { useFirstRead } from '../../lib/first-read.ts'
import { href } from '../../routes.ts'
import { NotFound } from '../../shell/not-found.tsx'
import { runsText } from '../../text/runs.en.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { SectionPage } from '../../shell/section-page.tsx'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { useVersionTitle } from '../versions/use-version-title.ts'
import { ListSkeleton } from './list-skeleton.tsx'
import { RunFacts } from './run-facts.tsx'
import { RunReplay } from './run-replay.tsx'
import { runOutcome } from './run-labels.ts'
import { useTicketTitle } from './use-ticket-title.ts'

export function RunPage() {
  const { projectId, runId } = useParams({ from: '/app/projects/$projectId/runs/$runId' })
  const run = useQuery({
    ...runQuery(projectId, runId),
    refetchInterval: ({ state }) => (isRunActive(state.data) ? RUN_REFETCH_MS : false),
  })
  const areNamesLoading = useAreNamesLoading(projectId, run.data)
  const isFirstRead = useFirstRead(runId, areNamesLoading || run.data === undefined)
  if (isNotFound(run.error)) return <NotFound />
  if (run.data && !isFirstRead) return <RunDetails run={run.data} />
  return (
    <SectionPage projectId={projectId} title={runsText.one} crumbs={crumbsOf(projectId)}>
      {run.isError ? (
        <FailureNote title={runsText.failed} error={run.error} onRetry={() => void run.refetch()} />
      ) : (
        <ListSkeleton />
      )}
    </SectionPage>
  )
}

/**
 * Whether the titles of the ticket and of the version are still loading. The titles may need more lines than their placeholders, which
 * would move the steps of the build down.
 */
function useAreNamesLoading(projectId: string, run: BuildRun | undefined): boolean {
  const ticket = useQuery({ ...ticketQuery(projectId, run?.ticketId ?? ''), enabled: run !== undefined })
  const version = useVersionTitle(projectId, run?.sha ?? null)
  return ticket.isLoading || version.isLoading
}

function RunDetails({ run }: { run: BuildRun }) {
  const title = useTicketTitle(run.projectId, run.ticketId)
  const { word, tone } = runOutcome(run)
  return (
    <SectionPage
      projectId={run.projectId}
      title={title ?? runsText.one}
      crumbs={crumbsOf(run.projectId)}
      lead={<StateDot tone={tone}>{word}</StateDot>}
    >
      <div className="space-y-4">
        <RunFacts run={run} />
        {isRunActive(run) ? (
          <p>
            {runsText.going}{' '}
            <a
              href={href.project(run.projectId, { ticket: run.ticketId, tab: 'build' })}
              className="text-kumo-link underline underline-offset-3"
            >
              {runsText.watch}
            </a>
          </p>
        ) : (
          <RunReplay run={run} />
        )}
      </div>
    </SectionPage>
  )
}

const crumbsOf = (projectId: string) => [{ to: href.runs(projectId), label: runsText.title }]
