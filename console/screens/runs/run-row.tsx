import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../routes.ts'
import { runsText } from '../../text/runs.en.ts'
import { workText } from '../../text/workspace.en.ts'
import { countOf, formatCount, formatDuration } from '../../lib/format.ts'
import { StateDot } from '../../ui/page/state-dot.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'
import { tokensOf } from '../../state/builds/build-state.ts'
import { changeOf, describeChecks, durationMs, runOutcome } from './run-labels.ts'
import { useTicketTitle } from './use-ticket-title.ts'

export function RunRow({ run }: { run: BuildRun }) {
  const title = useTicketTitle(run.projectId, run.ticketId)
  const { word, tone } = runOutcome(run)
  const took = durationMs(run, Date.now())
  const checks = describeChecks(run)
  const tokens = tokensOf(run.usage)
  return (
    <a
      href={href.run(run.projectId, run.id)}
      className="block px-4 py-3 -outline-offset-2 hover:bg-kumo-tint"
    >
      <span className="flex items-baseline gap-3">
        <span className="min-w-0 flex-1 truncate font-medium text-kumo-strong">
          {title ?? runsText.untitled}
        </span>
        <span className="shrink-0 text-[13px]">
          <StateDot tone={tone}>{word}</StateDot>
        </span>
      </span>
      <span className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-0.5 text-[13px] text-kumo-subtle tabular-nums">
        <RelativeTime at={run.startedAt ?? run.createdAt} />
        {took !== null && <span>{formatDuration(took)}</span>}
        {tokens > 0 && (
          <span>
            {formatCount(tokens)} {workText.build.tokens}
          </span>
        )}
        {checks && <span>{checks}</span>}
        {run.files.length > 0 && <ChangedLines run={run} />}
        {run.attempt > 1 && <span>{runsText.attempt(run.attempt)}</span>}
        <span className="min-w-0 truncate">{run.model}</span>
      </span>
      {run.error && (
        <span className="mt-1 line-clamp-2 text-[13px] break-words text-kumo-default">
          {run.error.message}
        </span>
      )}
    </a>
  )
}

function ChangedLines({ run }: { run: BuildRun }) {
  const { added, removed } = changeOf(run)
  return (
    <span className="inline-flex gap-1.5">
      {countOf(run.files.length, 'file')}
      <span className="text-added">+{added}</span>
      <span className="text-removed">−{removed}</span>
    </span>
  )
}
