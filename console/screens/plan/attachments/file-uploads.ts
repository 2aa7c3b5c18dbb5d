import type { Attachment } from '@slipway/sdk/client/types.gen.ts'
import type { UploadControl } from '../../../api/uploads/send-upload.ts'
import { type QueuedUpload, UploadQueue } from '../../../api/uploads/upload-queue.ts'
import { createStore } from '../../../lib/store.ts'
import { checkFiles, type FileProblem, type MediaType } from './attachment-check.ts'

/** The files that are not attached yet (uploading, failed) or were refused before the upload. */
export interface PendingFiles {
  uploads: readonly QueuedUpload[]
  refused: { name: string; problem: FileProblem | 'needsHttps' }[]
}

interface UploadSteps {
  send: (file: File, mediaType: MediaType, on: UploadControl) => Promise<Attachment>
  /**
   * Stores an uploaded file. The upload succeeds when the promise resolves and fails when it rejects. `signal` is aborted when the person
   * removes the file from the list meanwhile. The file must then not stay stored.
   */
  store: (attachment: Attachment, file: File, signal: AbortSignal) => unknown
}

export class FileUploads {
  readonly #steps: UploadSteps
  readonly #queue = new UploadQueue(() => {})
  readonly #pendingFiles = createStore<PendingFiles>({ uploads: [], refused: [] })

  readonly get = this.#pendingFiles.get
  readonly subscribe = this.#pendingFiles.subscribe

  constructor(steps: UploadSteps) {
    this.#steps = steps
    this.#queue.subscribe(() => this.#update({ uploads: this.#queue.get() }))
  }

  /** `taken` counts the attached files, without those that are uploading. */
  add(files: File[], taken: { count: number; bytes: number }): void {
    // Browsers offer `crypto.subtle`, which hashes a file, only on https pages.
    if (!isSecureContext)
      return this.#update({ refused: files.map(({ name }) => ({ name, problem: 'needsHttps' })) })
    const { uploads } = this.get()
    const { good, refused } = checkFiles(files, {
      count: taken.count + uploads.length,
      bytes: uploads.reduce((sum, { size }) => sum + size, taken.bytes),
    })
    this.#update({ refused })
    this.#queue.add(
      good.map(({ file, mediaType }) => ({
        path: file.name,
        size: file.size,
        run: async (signal, onSent) => {
          const attachment = await this.#steps.send(file, mediaType, { signal, onSent })
          signal.throwIfAborted()
          await this.#steps.store(attachment, file, signal)
        },
      })),
    )
  }

  retry(id: number): void {
    this.#queue.retry(id)
  }

  drop(id: number): void {
    this.#queue.drop(id)
  }

  stop(): void {
    this.#queue.stop()
  }

  forgetRefused(): void {
    this.#update({ refused: [] })
  }

  #update(change: Partial<PendingFiles>): void {
    this.#pendingFiles.set({ ...this.get(), ...change })
  }
}
