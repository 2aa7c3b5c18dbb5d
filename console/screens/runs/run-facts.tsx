import type { BuildRun } from '@slipway/sdk/client/types.gen.ts'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import { runsText } from '../../text/runs.en.ts'
import { CopyButton } from '../../ui/controls/copy-button.tsx'
import { formatCost, formatCount, formatDuration } from '../../lib/format.ts'
import { RelativeTime } from '../../ui/format/time.tsx'
import { tokensOf } from '../../state/builds/build-state.ts'
import { formatTokens } from '../builds/outcome/format-tokens.ts'
import { VersionLink } from '../versions/version-name.tsx'
import { durationMs } from './run-labels.ts'

export function RunFacts({ run }: { run: BuildRun }) {
  const took = durationMs(run, Date.now())
  const { facts } = runsText
  return (
    <dl className="grid gap-x-6 gap-y-3 rounded-xl bg-kumo-base px-4 py-3.5 ring-1 ring-kumo-line sm:grid-cols-2">
      <RunFact label={facts.ticket}>
        <a
          href={href.project(run.projectId, { ticket: run.ticketId, tab: 'ticket' })}
          className="rounded-sm text-kumo-link underline underline-offset-3"
        >
          {runsText.openTicket}
        </a>
      </RunFact>
      <RunFact label={facts.started}>
        <RelativeTime at={run.startedAt ?? run.createdAt} />
        <span className="text-kumo-subtle"> · {runsText.trigger[run.trigger]}</span>
        {run.attempt > 1 && <span className="text-kumo-subtle"> · {runsText.attempt(run.attempt)}</span>}
      </RunFact>
      <RunFact label={facts.model}>
        <span className="break-all">{run.model}</span>
      </RunFact>
      {took !== null && <RunFact label={facts.duration}>{formatDuration(took)}</RunFact>}
      <RunFact label={facts.tokens}>
        {formatCount(tokensOf(run.usage))}
        <span className="text-kumo-subtle"> · {formatTokens(run.usage)}</span>
        {run.costUsd !== null && <span> · {formatCost(run.costUsd)}</span>}
      </RunFact>
      {run.sha && (
        <RunFact label={facts.version}>
          <VersionLink projectId={run.projectId} sha={run.sha} />
        </RunFact>
      )}
      <RunFact label={facts.id}>
        <span className="inline-flex min-w-0 items-center gap-1">
          <code className="min-w-0 font-mono text-xs break-all">{run.id}</code>
          <CopyButton value={run.id} label={runsText.copyId} size="xs" />
        </span>
      </RunFact>
    </dl>
  )
}

function RunFact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-kumo-subtle">{label}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  )
}
