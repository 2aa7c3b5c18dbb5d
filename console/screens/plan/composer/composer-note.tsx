import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { ReactNode } from 'react'
import { planText } from '../../../text/plan.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { ConnectModel } from '../../settings/models/connect-model.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'

export function ComposerNote(props: {
  error: unknown
  isRetry: boolean
  /** True while a reply is being written in this project. */
  isBusy: boolean
  /** Sends the message again. Null while the message cannot be sent. */
  onAgain: (() => void) | null
  onWithout: () => void
}) {
  const { error, onAgain } = props
  const onConnected = () => onAgain?.()
  const code = error instanceof SlipwayError ? error.code : null
  if (code === 'model_required')
    return (
      <AlertNote title={planText.model.missing} words={planText.model.missingHint}>
        <ConnectModel onConnected={onConnected} />
      </AlertNote>
    )
  if (code === 'attachments_unsupported' && error instanceof SlipwayError)
    return (
      <AlertNote
        title={planText.refused.unreadable}
        words={`${error.message} ${props.isRetry ? planText.refused.unreadableRetryHint : planText.refused.unreadableHint}`}
      >
        {onAgain && !props.isRetry && (
          <Button size="sm" variant="primary" onClick={props.onWithout}>
            {planText.refused.without}
          </Button>
        )}
        <ConnectModel variant="secondary" onConnected={onConnected} />
      </AlertNote>
    )
  if (code === 'conflict' && !props.isBusy)
    return (
      <AlertNote title={planText.refused.free} words={null}>
        {onAgain && (
          <Button size="sm" variant="primary" onClick={onAgain}>
            {planText.refused.sendNow}
          </Button>
        )}
      </AlertNote>
    )
  if (code === 'conflict') return <AlertNote title={planText.refused.conflict} words={null} />
  return (
    <FailureNote
      title={props.isRetry ? planText.refused.retry : planText.refused.title}
      error={error}
      {...(onAgain && { onRetry: onAgain })}
    />
  )
}

function AlertNote({
  title,
  words,
  children,
}: {
  title: string
  words: string | null
  children?: ReactNode
}) {
  return (
    <div
      role="alert"
      className="animate-enter space-y-1 rounded-lg bg-tide-tint px-3.5 py-3 ring-1 ring-tide-line"
    >
      <p className="font-medium text-kumo-strong">{title}</p>
      {words !== null && <p className="break-words">{words}</p>}
      {children && <div className="flex flex-wrap gap-2 pt-1.5">{children}</div>}
    </div>
  )
}
