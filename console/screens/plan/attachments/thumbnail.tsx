import { FilePdfIcon, ImageIcon } from '@phosphor-icons/react'
import { useState } from 'react'
import { attachmentUrl } from '../../../api/uploads/attachments.ts'
import type { MediaType } from './attachment-check.ts'

export function Thumbnail(props: {
  projectId: string
  attachment: string
  /** Missing for files of stored messages, because the console does not know their media type. */
  mediaType?: MediaType
  className?: string
}) {
  const [isPicture, setPicture] = useState(props.mediaType !== 'application/pdf')
  const { className = 'size-12' } = props
  const frame = `grid shrink-0 place-items-center overflow-hidden rounded-lg bg-kumo-recessed ring-1 ring-kumo-line ${className}`
  if (!isPicture)
    return (
      <span className={frame} aria-hidden="true">
        <FilePdfIcon className="size-6 text-kumo-subtle" />
      </span>
    )
  return (
    <span className={frame}>
      <img
        src={attachmentUrl(props.projectId, props.attachment)}
        // The file name is beside the image, so screen readers skip the image.
        alt=""
        loading="lazy"
        decoding="async"
        onError={() => setPicture(false)}
        className="size-full object-cover"
      />
    </span>
  )
}

export function PendingThumbnail() {
  return (
    <span
      aria-hidden="true"
      className="grid size-12 shrink-0 place-items-center rounded-lg bg-kumo-recessed ring-1 ring-kumo-line"
    >
      <ImageIcon className="size-6 text-kumo-placeholder" />
    </span>
  )
}
