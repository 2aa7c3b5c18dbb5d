import type { ReactNode } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import type { Upload } from '../../../api/uploads/upload-queue.ts'
import { planText } from '../../../text/plan.en.ts'
import { formatSize } from '../../../ui/words/format.ts'
import { UploadButtons, UploadProgress } from '../../../ui/lists/upload-parts.tsx'
import { PendingThumbnail, Thumbnail } from './thumbnail.tsx'
import type { Attachments } from './use-attachments.ts'

/** The files a message will carry: those that are there, and those on their way with how far they are. */
export function AttachmentTray(props: {
  projectId: string
  attachments: Attachments
  /** Keys that the model said it cannot read. */
  unreadable: string[]
}) {
  const { kept, uploads, refused, remove, retry, drop } = props.attachments
  return (
    <>
      {kept.length + uploads.length > 0 && (
        <ul
          aria-label={planText.files.list}
          className="grid max-h-48 gap-2 overflow-y-auto px-3 pt-3 pb-1 sm:grid-cols-[repeat(auto-fill,minmax(13rem,1fr))]"
        >
          {kept.map((file) => (
            <Tile
              key={file.key}
              picture={
                <Thumbnail projectId={props.projectId} attachment={file.key} mediaType={file.mediaType} />
              }
              name={file.name}
              problem={props.unreadable.includes(file.key) ? planText.files.unreadable : null}
              note={formatSize(file.size)}
              onRemove={() => remove([file.key])}
            />
          ))}
          {uploads.map((upload) => (
            <Tile
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
              onRetry={isWorthRetrying(upload) ? () => retry(upload.id) : undefined}
              onRemove={() => drop(upload.id)}
            />
          ))}
        </ul>
      )}
      {refused.length > 0 && (
        <div role="alert" className="px-3.5 pt-3 text-[13px]">
          <p className="font-medium text-removed">{planText.files.refusedTitle}</p>
          <ul>
            {refused.map(({ name, problem }) => (
              <li key={name} className="break-words">
                <span className="font-medium break-all">{name}:</span>{' '}
                {problem === 'needsHttps' ? planText.files.needsHttps : planText.files.problems[problem]}
              </li>
            ))}
          </ul>
        </div>
      )}
    </>
  )
}

/** The same file would be refused again; a lost connection may be back. */
const isWorthRetrying = ({ state, error }: Upload) => state === 'failed' && describeFailure(error).retryable

function Tile(props: {
  picture: ReactNode
  name: string
  note: ReactNode
  problem: string | null
  onRetry?: (() => void) | undefined
  onRemove: () => void
}) {
  return (
    <li
      className={`flex min-w-0 items-center gap-2.5 rounded-xl p-1.5 ring-1 ${props.problem ? 'bg-kumo-danger-tint ring-kumo-danger/25' : 'bg-kumo-base ring-kumo-line'}`}
    >
      {props.picture}
      <div className="min-w-0 flex-1 text-[13px]">
        <p className="truncate" title={props.name}>
          {props.name}
        </p>
        {props.problem ? (
          <p role="alert" className="text-xs break-words text-removed">
            {props.problem}
          </p>
        ) : (
          <div className="text-xs text-kumo-subtle tabular-nums">{props.note}</div>
        )}
      </div>
      <UploadButtons
        again={planText.files.again(props.name)}
        remove={planText.files.remove(props.name)}
        onRetry={props.onRetry}
        onRemove={props.onRemove}
      />
    </li>
  )
}
