import { describeFailure } from '../../api/request/failures.ts'
import type { QueuedUpload, UploadQueue } from '../../api/uploads/upload-queue.ts'
import { cloudText } from '../../text/cloud.en.ts'
import { formatSize } from '../../lib/format.ts'
import { UploadButtons, UploadProgress } from '../../ui/lists/upload-parts.tsx'

const ROWS_MAX = 20

/**
 * The uploads in progress. A drop may have thousands of files, so only the first `ROWS_MAX` uploads are listed.
 */
export function UploadList({ uploads, queue }: { uploads: readonly QueuedUpload[]; queue: UploadQueue }) {
  return (
    <section aria-labelledby="uploads" className="rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
      <h2 id="uploads" className="font-medium text-kumo-strong">
        {cloudText.assets.uploads} <span className="text-kumo-subtle">({uploads.length})</span>
      </h2>
      <ul className="divide-y divide-kumo-line">
        {uploads.slice(0, ROWS_MAX).map((upload) => (
          <li key={upload.id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1 space-y-1">
              <p className="flex justify-between gap-3">
                <span className="truncate">{upload.path}</span>
                <span className="shrink-0 text-[13px] text-kumo-subtle tabular-nums">
                  {uploadStateText(upload)}
                </span>
              </p>
              {upload.state === 'failed' ? (
                <p role="alert" className="text-[13px] break-words text-removed">
                  {describeFailure(upload.error).sentence}
                </p>
              ) : (
                <UploadProgress upload={upload} />
              )}
            </div>
            <UploadButtons
              again={cloudText.assets.again(upload.path)}
              remove={cloudText.assets.drop(upload.path)}
              onRetry={upload.state === 'failed' ? () => queue.retry(upload.id) : undefined}
              onRemove={() => queue.drop(upload.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function uploadStateText({ state, sent, size }: QueuedUpload): string {
  if (state === 'failed') return cloudText.assets.failed
  if (state === 'waiting') return cloudText.assets.waiting
  return cloudText.assets.sent(formatSize(Math.min(sent, size)), formatSize(size))
}
