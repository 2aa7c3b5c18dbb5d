import { DownloadSimpleIcon } from '@phosphor-icons/react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useStore } from '../../../lib/store.ts'
import { attachmentQuery, attachmentUrl } from '../../../api/uploads/attachments.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { pastedFiles } from '../../../ui/browser/pasted-files.ts'
import { formatSize } from '../../../lib/format.ts'
import { FilePicker } from '../../plan/attachments/file-picker.tsx'
import { FileTile, RefusedFiles, UploadTiles } from '../../plan/attachments/file-tiles.tsx'
import { Thumbnail } from '../../plan/attachments/thumbnail.tsx'
import { useFileDrop } from '../../plan/attachments/use-file-drop.ts'
import { Part } from './details-parts.tsx'
import { detach, draftName, attachmentUsageOf, uploadsTo } from './ticket-files.ts'

const { attachments: words } = ticketsText

/** Returns the attachments of a ticket and its uploads. An element with `handlers` accepts dropped and pasted files. */
export function useTicketFiles(projectId: string, ticket: Ticket) {
  const store = uploadsTo(projectId, ticket.id)
  const pending = useStore(store)
  const addFiles = (files: File[]) => store.add(files, attachmentUsageOf(projectId, ticket.attachments))
  usePastedFiles(addFiles)
  return { ...useFileDrop(addFiles), ...pending, store, add: addFiles }
}

/** The files of a ticket. They are sent to the model in every build of the ticket. */
export function TicketAttachments(props: {
  projectId: string
  ticket: Ticket
  files: ReturnType<typeof useTicketFiles>
}) {
  const { projectId, ticket } = props
  const { uploads, refused, store, add, isOver } = props.files
  const button = useRef<HTMLButtonElement>(null)
  const isEmpty = ticket.attachments.length + uploads.length === 0
  return (
    <Part
      title={words.title}
      action={<FilePicker ref={button} label={words.attach} words={words.attach} onFiles={add} />}
    >
      <div className="space-y-2">
        {(isEmpty || isOver) && (
          <p
            className={`rounded-xl border border-dashed p-3 text-[13px] ${isOver ? 'border-tide bg-tide-tint' : 'border-kumo-interact text-kumo-subtle'}`}
          >
            {isOver ? words.drop : words.empty}
          </p>
        )}
        {!isEmpty && (
          <ul
            aria-label={words.title}
            className="grid gap-2 sm:grid-cols-[repeat(auto-fill,minmax(15rem,1fr))]"
          >
            {ticket.attachments.map((key, index) => (
              <AttachmentTile
                key={key}
                projectId={projectId}
                attachment={key}
                place={index + 1}
                onRemove={(name) => {
                  // Move the focus first: the pressed button is removed with its file.
                  button.current?.focus()
                  void detach(projectId, ticket.id, key, name)
                }}
              />
            ))}
            <UploadTiles uploads={uploads} retry={(id) => store.retry(id)} drop={(id) => store.drop(id)} />
          </ul>
        )}
        <RefusedFiles refused={refused} />
      </div>
    </Part>
  )
}

function AttachmentTile(props: {
  projectId: string
  attachment: string
  place: number
  onRemove: (name: string) => void
}) {
  const { projectId, attachment } = props
  const about = useQuery(attachmentQuery(projectId, attachment))
  const kind = subtypeOf(about.data?.mediaType)
  const name = draftName(attachment) || words.unnamed(kind === 'PDF', props.place)
  const url = attachmentUrl(projectId, attachment)
  return (
    <FileTile
      picture={
        <Thumbnail
          key={kind}
          projectId={projectId}
          attachment={attachment}
          {...(kind === 'PDF' && { mediaType: 'application/pdf' })}
        />
      }
      name={name}
      href={url}
      note={about.data ? words.about(kind, formatSize(about.data.size)) : ' '}
      problem={about.isError ? words.unreadable : null}
      retryLabel={words.readAgain(name)}
      onRetry={about.isError ? () => void about.refetch() : undefined}
      onRemove={() => props.onRemove(name)}
    >
      <a
        href={url}
        download={name.includes('.') || kind === '' ? name : `${name}.${kind.toLowerCase()}`}
        aria-label={words.download(name)}
        title={words.download(name)}
        className="grid size-6.5 shrink-0 place-items-center rounded-md text-kumo-default hover:bg-kumo-tint pointer-coarse:size-11"
      >
        <DownloadSimpleIcon aria-hidden="true" />
      </a>
    </FileTile>
  )
}

const subtypeOf = (mediaType = ''): string => (mediaType.split('/')[1] ?? '').toUpperCase()

/** Accepts files that are pasted anywhere, except into a field that accepts files itself. */
function usePastedFiles(onFiles: (files: File[]) => void): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const files = pastedFiles(event.clipboardData)
    if (files.length === 0 || event.defaultPrevented) return
    event.preventDefault()
    onFiles(files)
  })
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => take(event)
    document.addEventListener('paste', onPaste)
    return () => document.removeEventListener('paste', onPaste)
  }, [])
}
