import { CheckCircleIcon, XCircleIcon } from '@phosphor-icons/react'
import type { CheckError } from '@slipway/sdk/frames.ts'
import { workText } from '../../text/workspace.en.ts'
import { formatDuration } from '../../ui/format.ts'
import type { CheckRow } from './build-state.ts'

/** What the latest round of checks said, phase by phase. */
export function ChecksCard({ checks }: { checks: CheckRow[] }) {
  const red = checks.filter((check) => !check.ok)
  return (
    <section aria-labelledby="build-checks" className="rounded-xl bg-kumo-base ring-1 ring-kumo-line">
      <h3
        id="build-checks"
        className="border-b border-kumo-line px-4 py-2.5 text-[13px] font-medium text-kumo-strong"
      >
        {workText.build.checks}
      </h3>
      <ul className="flex flex-wrap gap-x-4 gap-y-1.5 px-4 py-3">
        {checks.map((check) => (
          <li key={check.phase} className="inline-flex items-center gap-1.5 text-[13px]">
            {check.ok ? (
              <CheckCircleIcon weight="fill" className="size-4 text-added" aria-hidden="true" />
            ) : (
              <XCircleIcon weight="fill" className="size-4 text-removed" aria-hidden="true" />
            )}
            <span>{workText.build.checkPhases[check.phase] ?? check.phase}</span>
            <span className={check.ok ? 'sr-only' : 'text-removed'}>
              {check.ok ? workText.build.passed : workText.build.red(Math.max(1, check.errorCount))}
            </span>
            <span className="text-xs text-kumo-subtle tabular-nums">{formatDuration(check.ms)}</span>
          </li>
        ))}
      </ul>
      {red.map((check) => (
        <ul key={check.phase} className="space-y-2 border-t border-kumo-line px-4 py-3">
          {check.errors.map((error) => (
            <Problem key={`${error.file}:${error.line}:${error.message}`} error={error} />
          ))}
        </ul>
      ))}
    </section>
  )
}

function Problem({ error }: { error: CheckError }) {
  // Line 0 stands for the whole file.
  const place = [error.file, error.line || null, error.line ? error.column : null].filter(Boolean).join(':')
  return (
    <li className="text-[13px]">
      {place !== '' && <code className="font-mono text-xs break-all text-kumo-subtle">{place}</code>}
      <p className="break-words whitespace-pre-wrap">{error.message}</p>
    </li>
  )
}
