import { queryClient } from '../../../api/request/query-client.ts'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { attachFile, attachmentQuery } from '../../../api/uploads/attachments.ts'
import { onDraftsCleared } from '../../../shell/clear-drafts.ts'
import { openDraft } from '../../../shell/drafts.ts'
import { ticketsText } from '../../../text/tickets.en.ts'
import { FileUploads } from '../../plan/attachments/file-uploads.ts'
import { editTickets } from '../../../state/tickets/edit-tickets.ts'
import { refusedChangeOf } from '../../../state/tickets/refusals.ts'

const NAME_DRAFT = 'attachment-name'
const uploadsOfTicket = new Map<string, FileUploads>()
onDraftsCleared(() => {
  for (const files of uploadsOfTicket.values()) files.stop()
  uploadsOfTicket.clear()
})

/** The uploads of a ticket. Stored outside of the screen, so that leaving the screen aborts no upload. */
export function uploadsTo(projectId: string, ticketId: string): FileUploads {
  const known =
    uploadsOfTicket.get(ticketId) ??
    new FileUploads({
      send: (file, mediaType, on) => attachFile(projectId, file, mediaType, on),
      store: ({ key }, { name }, signal) => attach(projectId, ticketId, key, name, signal),
    })
  uploadsOfTicket.set(ticketId, known)
  return known
}

/** The name of a file that was attached in this browser; otherwise an empty string. */
export const draftName = (key: string): string => openDraft(NAME_DRAFT, key).read()

/** The number of attachments of a ticket and the sum of their sizes. Only sizes known in this browser are counted. */
export function attachmentUsageOf(projectId: string, keys: string[]): { count: number; bytes: number } {
  const sizes = keys.map(
    (key) => queryClient.getQueryData(attachmentQuery(projectId, key).queryKey)?.size ?? 0,
  )
  return { count: keys.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
}

/**
 * Adds an uploaded file to the ticket, with undo. Throws when the service refuses, so that the upload offers
 * a retry. A file that is taken off the list while the request runs is removed from the ticket again.
 */
export async function attach(
  projectId: string,
  ticketId: string,
  key: string,
  name: string,
  signal?: AbortSignal,
): Promise<void> {
  openDraft(NAME_DRAFT, key).store(name)
  // Read a ticket that is no longer in the cache, because `editTickets` skips unknown tickets.
  await queryClient.ensureQueryData(ticketQuery(projectId, ticketId))
  signal?.throwIfAborted()
  let isNew = false
  const refused = await editTickets(
    queryClient,
    projectId,
    [ticketId],
    ({ attachments }) => {
      isNew = !attachments.includes(key)
      return isNew ? { attachments: [...attachments, key] } : {}
    },
    ticketsText.attachments.added(name),
  )
  if (refused.length > 0) throw refusedChangeOf(ticketId)
  if (isNew && signal?.aborted === true) await detach(projectId, ticketId, key, name)
}

/** Removes an attachment from the ticket, with undo. */
export const detach = (projectId: string, ticketId: string, key: string, name: string) =>
  editTickets(
    queryClient,
    projectId,
    [ticketId],
    ({ attachments }) => ({ attachments: attachments.filter((other) => other !== key) }),
    ticketsText.attachments.removed(name),
  )
