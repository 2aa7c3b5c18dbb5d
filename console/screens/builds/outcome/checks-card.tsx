import { CheckCircleIcon, XCircleIcon } from '@phosphor-icons/react'
import type { CheckError } from '@slipway/sdk/frames.ts'
import { workText } from '../../../text/workspace.en.ts'
import { formatDuration } from '../../../lib/format.ts'
import type { CheckRow } from '../../../state/builds/build-state.ts'
import { type CheckedSource, codeHref } from './checked-source.ts'
import { entryOf } from '../../../lib/fields.ts'

export function ChecksCard(props: { checks: CheckRow[]; source: CheckedSource }) {
  const { checks, source } = props
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
            <span>{entryOf(workText.build.checkPhases, check.phase) ?? check.phase}</span>
            <span className={check.ok ? 'sr-only' : 'text-removed'}>
              {check.ok ? workText.build.passed : workText.build.red(Math.max(1, check.errorCount))}
            </span>
            <span className="text-xs text-kumo-subtle tabular-nums">{formatDuration(check.ms)}</span>
          </li>
        ))}
      </ul>
      {red.map((check) => (
        <ul key={check.phase} className="space-y-2 border-t border-kumo-line px-4 py-3">
          {check.errors.map((error, index) => (
            // The key is the position, because a line may have the same problem several times.
            <CheckProblem key={index} error={error} source={source} />
          ))}
        </ul>
      ))}
    </section>
  )
}

function CheckProblem({ error, source }: { error: CheckError; source: CheckedSource }) {
  const { file, line, column, message, excerpt } = error
  // A check reports line 0 for an error of the whole file.
  const place = [file, line || null, line ? column : null].filter(Boolean).join(':')
  const to = file ? codeHref(source, file, line) : null
  const code = <code className="font-mono text-xs break-all">{place}</code>
  return (
    <li className="text-[13px]">
      {to ? (
        <a href={to} className="rounded-sm text-kumo-link underline underline-offset-3">
          {code}
        </a>
      ) : (
        place !== '' && <span className="text-kumo-subtle">{code}</span>
      )}
      <p className="break-words whitespace-pre-wrap">{message}</p>
      {excerpt && (
        <pre
          tabIndex={0}
          className="mt-1 overflow-x-auto rounded-md bg-kumo-recessed p-2 font-mono text-xs leading-relaxed"
        >
          {excerpt}
        </pre>
      )}
    </li>
  )
}
