import type { Attachment } from '@slipway/sdk/client/types.gen.ts'
import { attachFile } from '../../../api/uploads/attachments.ts'
import { createStore, type Store } from '../../../lib/store.ts'
import { onDraftsCleared } from '../../../shell/clear-drafts.ts'
import { type Draft, openDraft } from '../../../shell/drafts.ts'
import { FileUploads, type PendingFiles } from './file-uploads.ts'
import { isObjectOrList } from '../../../lib/fields.ts'

export interface DraftAttachment extends Attachment {
  name: string
  size: number
}

interface AttachedFiles extends PendingFiles {
  kept: DraftAttachment[]
}

const attachmentStores = new Map<string, AttachmentStore>()
onDraftsCleared(() => {
  for (const store of attachmentStores.values()) store.stop()
  attachmentStores.clear()
})

/**
 * Returns the files of a project's next message. The store is kept outside of the components, so that uploads continue while the person is
 * on another screen.
 */
export function attachmentsOf(projectId: string): AttachmentStore {
  const known = attachmentStores.get(projectId) ?? new AttachmentStore(projectId)
  attachmentStores.set(projectId, known)
  return known
}

/** Uploads files. Stores the uploaded files in this browser, so that they survive a reload. */
class AttachmentStore {
  readonly #draft: Draft
  readonly #uploads: FileUploads
  readonly #files: Store<AttachedFiles>
  readonly get: () => AttachedFiles
  readonly subscribe: Store<AttachedFiles>['subscribe']

  constructor(projectId: string) {
    this.#draft = openDraft('plan-files', projectId)
    this.#uploads = new FileUploads({
      send: (file, mediaType, on) => attachFile(projectId, file, mediaType, on),
      store: (attachment, { name, size }) => {
        const others = this.get().kept.filter(({ key }) => key !== attachment.key)
        this.#storeKept([...others, { ...attachment, name, size }])
      },
    })
    this.#files = createStore({ kept: readStoredFiles(this.#draft), ...this.#uploads.get() })
    this.get = this.#files.get
    this.subscribe = this.#files.subscribe
    this.#uploads.subscribe(() => this.#update(this.#uploads.get()))
  }

  add(files: File[]): void {
    const { kept } = this.get()
    this.#uploads.add(files, { count: kept.length, bytes: kept.reduce((sum, { size }) => sum + size, 0) })
  }

  retry(id: number): void {
    this.#uploads.retry(id)
  }

  drop(id: number): void {
    this.#uploads.drop(id)
  }

  stop(): void {
    this.#uploads.stop()
  }

  remove(keys: string[]): void {
    this.#storeKept(this.get().kept.filter(({ key }) => !keys.includes(key)))
    this.#uploads.forgetRefused()
  }

  #storeKept(kept: DraftAttachment[]): void {
    this.#draft.store(kept.length === 0 ? '' : JSON.stringify(kept))
    this.#update({ kept })
  }

  #update(change: Partial<AttachedFiles>): void {
    this.#files.set({ ...this.get(), ...change })
  }
}

/** Reads the stored files. Ignores entries of another shape, which an older console may have stored. */
function readStoredFiles(draft: Draft): DraftAttachment[] {
  try {
    const stored: unknown = JSON.parse(draft.read() || '[]')
    return Array.isArray(stored) ? stored.filter(isStoredFile) : []
  } catch {
    return []
  }
}

function isStoredFile(value: unknown): value is DraftAttachment {
  if (!isObjectOrList(value)) return false
  const { key, mediaType, name, size } = value
  return [key, mediaType, name].every((part) => typeof part === 'string') && typeof size === 'number'
}
