import { Button } from '@cloudflare/kumo/components/button'
import { ArrowClockwiseIcon, XIcon } from '@phosphor-icons/react'
import { describeFailure } from '../../api/failures.ts'
import { placesText } from '../../text/places.en.ts'
import { formatSize } from '../../ui/format.ts'
import type { Upload, UploadQueue } from '../../api/upload-queue.ts'

const SHOWN = 20

/** Files on their way; the long rest of a large drop is only counted. */
export function UploadList({ uploads, queue }: { uploads: readonly Upload[]; queue: UploadQueue }) {
  return (
    <section aria-labelledby="uploads" className="rounded-xl bg-kumo-base p-4 ring-1 ring-kumo-line">
      <h2 id="uploads" className="font-medium text-kumo-strong">
        {placesText.assets.uploads} <span className="text-kumo-subtle">({uploads.length})</span>
      </h2>
      <ul className="divide-y divide-kumo-line">
        {uploads.slice(0, SHOWN).map((upload) => (
          <li key={upload.id} className="flex items-center gap-3 py-2.5">
            <div className="min-w-0 flex-1 space-y-1">
              <p className="flex justify-between gap-3">
                <span className="truncate">{upload.path}</span>
                <span className="shrink-0 text-[13px] text-kumo-subtle tabular-nums">{stateOf(upload)}</span>
              </p>
              {upload.state === 'failed' ? (
                <p role="alert" className="text-[13px] break-words text-removed">
                  {describeFailure(upload.error).sentence}
                </p>
              ) : (
                <progress
                  aria-label={upload.path}
                  max={upload.size}
                  value={upload.sent}
                  className="block h-1.5 w-full accent-tide"
                />
              )}
            </div>
            {upload.state === 'failed' && (
              <Button
                size="sm"
                shape="square"
                variant="ghost"
                aria-label={placesText.assets.again(upload.path)}
                icon={<ArrowClockwiseIcon />}
                onClick={() => queue.retry(upload.id)}
              />
            )}
            <Button
              size="sm"
              shape="square"
              variant="ghost"
              aria-label={placesText.assets.drop(upload.path)}
              icon={<XIcon />}
              onClick={() => queue.drop(upload.id)}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

function stateOf({ state, sent, size }: Upload): string {
  if (state === 'failed') return placesText.assets.failed
  if (state === 'waiting') return placesText.assets.waiting
  return placesText.assets.sent(formatSize(Math.min(sent, size)), formatSize(size))
}
