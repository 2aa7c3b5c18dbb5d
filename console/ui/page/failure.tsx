import { WarningCircleIcon } from '@phosphor-icons/react'
import type { UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { describeFailure, type Failure } from '../../api/request/failures.ts'
import { autoRetries } from '../../api/request/auto-retries.ts'
import { href } from '../../routes.ts'
import { text } from '../../text/en.ts'
import { CopyButton } from '../controls/copy-button.tsx'
import { useCountdown } from '../browser/use-countdown.ts'
import { Button } from '../controls/button.tsx'

/** Shows why a query has no data, with a retry button. Renders nothing while the query loads, or when an earlier read has loaded data. */
export function LoadFailure({
  query,
}: {
  query: Pick<UseQueryResult, 'isError' | 'data' | 'error' | 'refetch'>
}) {
  if (!query.isError || query.data !== undefined) return null
  return <FailureNote title={text.failure.title} error={query.error} onRetry={() => void query.refetch()} />
}

/** Shows an error with its code and request id, and a retry button when a retry may succeed. */
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
        {failure.detail && (
          <details className="text-[13px]">
            <summary className="w-fit cursor-pointer text-kumo-subtle">{text.failure.detail}</summary>
            <p className="mt-1 break-words">{failure.detail}</p>
          </details>
        )}
        <FailureReference failure={failure} />
        {failure.code === 'model_required' && (
          <a href={href.models()} className="font-medium text-kumo-link underline underline-offset-3">
            {text.failure.connectModel}
          </a>
        )}
        {failure.code === 'payment_required' && (
          <a href={href.billing()} className="font-medium text-kumo-link underline underline-offset-3">
            {text.failure.seePlan}
          </a>
        )}
        {props.onRetry && <RetryButton error={props.error} onRetry={props.onRetry} />}
      </div>
    </div>
  )
}

/** The code and the request id. The operator finds this error in the log by its request id. */
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

/**
 * A button to retry. During a `Retry-After` the button is disabled and counts down. Afterwards a rate-limited read is retried once
 * automatically.
 */
function RetryButton({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const waitS = Math.ceil(useCountdown(error) / 1000)
  const repeating = useMemo(() => autoRetries.mayRetry(error, Date.now()), [error])
  const hasWaited = useRef(false)
  const repeat = useEffectEvent(() => {
    autoRetries.record(error, Date.now())
    onRetry()
  })
  useEffect(() => {
    if (waitS > 0) hasWaited.current = true
    else if (repeating && hasWaited.current) repeat()
  }, [waitS, repeating])
  const waiting = repeating ? text.failure.repeatIn(waitS) : text.failure.retryIn(waitS)
  return (
    <Button size="sm" className="mt-1.5" disabled={waitS > 0} onClick={onRetry}>
      {waitS > 0 ? waiting : text.common.retry}
    </Button>
  )
}
