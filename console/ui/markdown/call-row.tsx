import { CheckIcon, XIcon } from '@phosphor-icons/react'
import { formatDuration } from '../../lib/format.ts'

/** A tool call of the model as one line that opens to show its result (`answer`). `ms` is the duration in milliseconds. */
export function CallRow(props: {
  label: string
  about: string | null
  /** Whether `about` is a path and is shown as code. */
  isCode?: boolean
  ok: boolean
  failedWord: string
  answer: string
  ms: number
}) {
  const { about, answer, ok } = props
  const line = (
    <>
      {ok ? (
        <CheckIcon weight="bold" className="size-3.5 shrink-0 text-added" aria-hidden="true" />
      ) : (
        <XIcon weight="bold" className="size-3.5 shrink-0 text-removed" aria-hidden="true" />
      )}
      <span className="shrink-0">{props.label}</span>
      {about !== null &&
        (props.isCode ? (
          <code className="min-w-0 truncate font-mono text-xs text-kumo-strong">{about}</code>
        ) : (
          <span className="min-w-0 truncate text-kumo-subtle">{about}</span>
        ))}
      {!ok && <span className="shrink-0 text-xs text-removed">{props.failedWord}</span>}
      <span className="ml-auto shrink-0 pl-2 text-xs text-kumo-subtle tabular-nums">
        {formatDuration(props.ms)}
      </span>
    </>
  )
  const row = 'flex min-h-7 items-center gap-2 rounded-md px-1.5 text-[13px]'
  if (answer.trim() === '') return <li className={row}>{line}</li>
  return (
    <li>
      <details>
        <summary
          className={`${row} cursor-pointer list-none hover:bg-kumo-tint [&::-webkit-details-marker]:hidden`}
        >
          {line}
        </summary>
        <pre
          tabIndex={0}
          className="mt-1 mb-2 ml-7 max-h-56 overflow-auto rounded-lg bg-kumo-recessed p-2.5 font-mono text-xs leading-relaxed whitespace-pre-wrap text-kumo-default"
        >
          {answer}
        </pre>
      </details>
    </li>
  )
}
