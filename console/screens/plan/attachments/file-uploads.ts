import type { Attachment } from '@slipway/sdk/client/types.gen.ts'
import type { Sending } from '../../../api/uploads/send-upload.ts'
import { type Upload, UploadQueue } from '../../../api/uploads/upload-queue.ts'
import { checkFiles, type FileProblem, type MediaType } from './attachment-check.ts'

/** The files of one place that are not attached: on their way, failed, or refused before a byte was sent. */
export interface PendingFiles {
  uploads: readonly Upload[]
  refused: { name: string; problem: FileProblem | 'needsHttps' }[]
}

interface FilePlace {
  /** Uploads one file. */
  send: (file: File, mediaType: MediaType, on: Sending) => Promise<Attachment>
  /** Takes what is uploaded; the upload is done once this has settled, and its rejection is the upload's failure. */
  keep: (attachment: Attachment, file: File) => unknown
}

/** Checks files and uploads those that can be attached. */
export class FileUploads {
  readonly #place: FilePlace
  readonly #queue = new UploadQueue(() => {})
  readonly #listeners = new Set<() => void>()
  #pending: PendingFiles = { uploads: [], refused: [] }

  constructor(place: FilePlace) {
    this.#place = place
    this.#queue.subscribe(() => this.#set({ uploads: this.#queue.uploads }))
  }

  /** A new object after each change. */
  get pending(): PendingFiles {
    return this.#pending
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `taken`: what the place carries already, without what is on its way. */
  add(files: File[], taken: { count: number; bytes: number }): void {
    // Browsers give the hash function to secure pages only.
    if (!isSecureContext)
      return this.#set({ refused: files.map(({ name }) => ({ name, problem: 'needsHttps' })) })
    const { uploads } = this.#pending
    const { good, refused } = checkFiles(files, {
      count: taken.count + uploads.length,
      bytes: uploads.reduce((sum, { size }) => sum + size, taken.bytes),
    })
    this.#set({ refused })
    this.#queue.add(
      good.map(({ file, mediaType }) => ({
        path: file.name,
        size: file.size,
        run: async (signal, onSent) => {
          const attachment = await this.#place.send(file, mediaType, { signal, onSent })
          signal.throwIfAborted()
          await this.#place.keep(attachment, file)
        },
      })),
    )
  }

  retry(id: number): void {
    this.#queue.retry(id)
  }

  /** Takes a file off that is on its way. */
  drop(id: number): void {
    this.#queue.drop(id)
  }

  /** Breaks off what is on its way. */
  stop(): void {
    this.#queue.stop()
  }

  forgetRefused(): void {
    this.#set({ refused: [] })
  }

  #set(change: Partial<PendingFiles>): void {
    this.#pending = { ...this.#pending, ...change }
    for (const listener of this.#listeners) listener()
  }
}
