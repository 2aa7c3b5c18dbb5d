import { ArrowClockwiseIcon, XIcon } from '@phosphor-icons/react'
import type { QueuedUpload } from '../../api/uploads/upload-queue.ts'
import { IconButton } from '../controls/icon-button.tsx'

/** The progress of one upload in bytes. */
export function UploadProgress({ upload }: { upload: QueuedUpload }) {
  return (
    <progress
      aria-label={upload.path}
      max={upload.size}
      value={upload.sent}
      className="block h-1.5 w-full accent-tide"
    />
  )
}

/** The buttons of an upload. `onRetry` is given only after a failure. Without `onRemove` the upload cannot be stopped now. */
export function UploadButtons(props: {
  again: string
  remove: string
  onRetry?: (() => void) | undefined
  onRemove: (() => void) | undefined
}) {
  return (
    <>
      {props.onRetry && (
        <IconButton label={props.again} icon={<ArrowClockwiseIcon />} onClick={props.onRetry} />
      )}
      {props.onRemove && <IconButton label={props.remove} icon={<XIcon />} onClick={props.onRemove} />}
    </>
  )
}
