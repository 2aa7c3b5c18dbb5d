import { ArrowClockwiseIcon, XIcon } from '@phosphor-icons/react'
import type { Upload } from '../../api/uploads/upload-queue.ts'
import { IconButton } from '../controls/icon-button.tsx'

/** How far a file is on its way. */
export function UploadProgress({ upload }: { upload: Upload }) {
  return (
    <progress
      aria-label={upload.path}
      max={upload.size}
      value={upload.sent}
      className="block h-1.5 w-full accent-tide"
    />
  )
}

/** What can be done with a file that is on its way or there: try it again, where that is offered, and take it out. */
export function UploadButtons(props: {
  again: string
  remove: string
  onRetry?: (() => void) | undefined
  onRemove: () => void
}) {
  return (
    <>
      {props.onRetry && (
        <IconButton label={props.again} icon={<ArrowClockwiseIcon />} onClick={props.onRetry} />
      )}
      <IconButton label={props.remove} icon={<XIcon />} onClick={props.onRemove} />
    </>
  )
}
