import type { ReactNode } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import type { QueuedUpload } from '../../../api/uploads/upload-queue.ts'
import { planText } from '../../../text/plan.en.ts'
import { UploadButtons, UploadProgress } from '../../../ui/lists/upload-parts.tsx'
import type { PendingFiles } from './file-uploads.ts'
import { PendingThumbnail } from './thumbnail.tsx'

export function UploadTiles(props: {
  uploads: readonly QueuedUpload[]
  retry: (id: number) => void
  drop: (id: number) => void
}) {
  return props.uploads.map((upload) => (
    <FileTile
      key={upload.id}
      picture={<PendingThumbnail />}
      name={upload.path}
      problem={upload.state === 'failed' ? describeFailure(upload.error).sentence : null}
      note={
        upload.state === 'waiting' ? (
          planText.files.waiting
        ) : (
          <div className="pt-1">
            <UploadProgress upload={upload} />
          </div>
        )
      }
      onRetry={isWorthRetrying(upload) ? () => props.retry(upload.id) : undefined}
      onRemove={() => props.drop(upload.id)}
    />
  ))
}

/** True after a lost connection. A file that the service refused would be refused again. */
const isWorthRetrying = ({ state, error }: QueuedUpload) =>
  state === 'failed' && describeFailure(error).retryable

export function RefusedFiles({
  refused,
  className = '',
}: {
  refused: PendingFiles['refused']
  className?: string
}) {
  if (refused.length === 0) return null
  return (
    <div role="alert" className={`text-[13px] ${className}`}>
      <p className="font-medium text-removed">{planText.files.refusedTitle}</p>
      <ul>
        {refused.map(({ name, problem }, n) => (
          // The key is the position, because two files in different folders may have the same name.
          <li key={n} className="break-words">
            <span className="font-medium break-all">{name}:</span>{' '}
            {problem === 'needsHttps' ? planText.files.needsHttps : planText.files.problems[problem]}
          </li>
        ))}
      </ul>
    </div>
  )
}

export function FileTile(props: {
  picture: ReactNode
  name: string
  href?: string
  children?: ReactNode
  note: ReactNode
  problem: string | null
  /** The accessible name of the button that calls `onRetry`. By default it says that the file is uploaded again. */
  retryLabel?: string
  onRetry?: (() => void) | undefined
  onRemove: (() => void) | undefined
}) {
  return (
    <li
      className={`flex min-w-0 items-center gap-2.5 rounded-xl p-1.5 ring-1 ${props.problem ? 'bg-kumo-danger-tint ring-kumo-danger/25' : 'bg-kumo-base ring-kumo-line'}`}
    >
      {props.picture}
      <div className="min-w-0 flex-1 text-[13px]">
        <p className="truncate" title={props.name}>
          {props.href === undefined ? (
            props.name
          ) : (
            <a
              href={props.href}
              target="_blank"
              className="block truncate rounded-sm leading-6 hover:underline"
            >
              {props.name}
            </a>
          )}
        </p>
        {props.problem ? (
          <p role="alert" className="text-xs break-words text-removed">
            {props.problem}
          </p>
        ) : (
          <div className="text-xs text-kumo-subtle tabular-nums">{props.note}</div>
        )}
      </div>
      {props.children}
      <UploadButtons
        again={props.retryLabel ?? planText.files.again(props.name)}
        remove={planText.files.remove(props.name)}
        onRetry={props.onRetry}
        onRemove={props.onRemove}
      />
    </li>
  )
}
