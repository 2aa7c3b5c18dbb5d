import { planText } from '../../../text/plan.en.ts'
import { formatSize } from '../../../lib/format.ts'
import { FileTile, RefusedFiles, UploadTiles } from './file-tiles.tsx'
import { Thumbnail } from './thumbnail.tsx'
import type { Attachments } from './use-attachments.ts'

export function AttachmentTray(props: {
  projectId: string
  attachments: Attachments
  /** Keys of the attached files that the model cannot read. */
  unreadable: string[]
  /** Keys of the files of a message that is being sent. These files can no longer be removed from the message. */
  leaving: readonly string[]
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
            <FileTile
              key={file.key}
              picture={
                <Thumbnail projectId={props.projectId} attachment={file.key} mediaType={file.mediaType} />
              }
              name={file.name}
              problem={props.unreadable.includes(file.key) ? planText.files.unreadable : null}
              note={formatSize(file.size)}
              onRemove={props.leaving.includes(file.key) ? undefined : () => remove([file.key])}
            />
          ))}
          <UploadTiles uploads={uploads} retry={retry} drop={drop} />
        </ul>
      )}
      <RefusedFiles className="px-3.5 pt-3" refused={refused} />
    </>
  )
}
