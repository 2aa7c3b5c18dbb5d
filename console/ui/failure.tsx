import { Button } from '@cloudflare/kumo/components/button'
import { WarningCircleIcon } from '@phosphor-icons/react'
import { useEffect, useRef, useState } from 'react'
import { describeFailure, type Failure } from '../api/failures.ts'
import { text } from '../text/en.ts'
import { CopyButton } from './copy-button.tsx'

/** What went wrong, its code and the request id; with a way to try again where that can help. */
export function FailureNote(props: {
  error: unknown
  title?: string
  onRetry?: () => void
  takeFocus?: boolean
}) {
  const failure = describeFailure(props.error)
  const box = useRef<HTMLDivElement>(null)
  const { takeFocus = false } = props
  useEffect(() => {
    if (takeFocus) box.current?.focus()
  }, [takeFocus, props.error])
  return (
    <div
      ref={box}
      tabIndex={-1}
      role="alert"
      className="animate-enter flex gap-3 rounded-lg bg-kumo-danger-tint px-3.5 py-3 text-kumo-default ring-1 ring-kumo-danger/25"
    >
      <WarningCircleIcon
        weight="fill"
        className="mt-0.5 size-[18px] shrink-0 text-removed"
        aria-hidden="true"
      />
      <div className="min-w-0 flex-1 space-y-1">
        {props.title && <p className="font-medium text-kumo-strong">{props.title}</p>}
        <p className="break-words">{failure.sentence}</p>
        <FailureReference failure={failure} />
        {props.onRetry && <RetryButton failure={failure} onRetry={props.onRetry} />}
      </div>
    </div>
  )
}

/** The code and the id that finds this failure in the service's log. */
export function FailureReference({ failure }: { failure: Failure }) {
  return (
    <p className="flex flex-wrap items-center gap-x-2 text-xs text-kumo-subtle">
      <code className="font-mono">{failure.code}</code>
      {failure.requestId && (
        <span className="inline-flex items-center gap-1">
          <span>
            {text.common.requestId} <code className="font-mono break-all">{failure.requestId}</code>
          </span>
          <CopyButton value={failure.requestId} label={text.common.copyRequestId} size="xs" />
        </span>
      )}
    </p>
  )
}

/** Waits out a `Retry-After` in sight before it can be pressed. */
function RetryButton({ failure, onRetry }: { failure: Failure; onRetry: () => void }) {
  const [waitS, setWaitS] = useState(() => Math.ceil((failure.retryAfterMs ?? 0) / 1000))
  useEffect(() => {
    if (waitS <= 0) return
    const timer = setTimeout(() => setWaitS(waitS - 1), 1000)
    return () => clearTimeout(timer)
  }, [waitS])
  return (
    <Button size="sm" className="mt-1.5" disabled={waitS > 0} onClick={onRetry}>
      {waitS > 0 ? text.failure.retryIn(waitS) : text.common.retry}
    </Button>
  )
}
