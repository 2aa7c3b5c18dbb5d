import { createStore } from '../../lib/store.ts'

/** One upload. `sent` is the number of bytes that were sent. */
export interface QueuedUpload {
  id: number
  path: string
  size: number
  state: 'waiting' | 'sending' | 'failed'
  sent: number
  error: unknown
}

interface UploadJob {
  path: string
  size: number
  run: (signal: AbortSignal, onSent: (bytes: number) => void) => Promise<unknown>
}

const UPLOADS_AT_ONCE = 3

/**
 * Sends files, at most three at a time. A finished upload leaves the list; a failed one stays until it is
 * retried or removed.
 */
export class UploadQueue {
  readonly #uploads = createStore<readonly QueuedUpload[]>([])
  readonly #jobs = new Map<number, { job: UploadJob; stop: AbortController }>()
  readonly #onDone: () => void
  #lastId = 0

  readonly get = this.#uploads.get
  readonly subscribe = this.#uploads.subscribe

  constructor(onDone: () => void) {
    this.#onDone = onDone
  }

  /** Appends uploads. Those beyond the limit wait until an earlier one ends. */
  add(jobs: UploadJob[]): void {
    const added = jobs.map((job): QueuedUpload => {
      const id = ++this.#lastId
      this.#jobs.set(id, { job, stop: new AbortController() })
      return { id, path: job.path, size: job.size, state: 'waiting', sent: 0, error: null }
    })
    this.#uploads.set([...this.get(), ...added])
    this.#startNext()
  }

  /** Sends a failed upload again from its first byte. */
  retry(id: number): void {
    this.#updateUpload(id, { state: 'waiting', sent: 0, error: null })
    this.#startNext()
  }

  /** Aborts an upload and removes it from the list. */
  drop(id: number): void {
    this.#jobs.get(id)?.stop.abort()
    this.#removeUpload(id)
    this.#startNext()
  }

  /** Aborts all uploads and empties the list, when the page is left. */
  stop(): void {
    for (const { id } of this.get()) this.#jobs.get(id)?.stop.abort()
    this.#jobs.clear()
    this.#uploads.set([])
  }

  #startNext(): void {
    const free = UPLOADS_AT_ONCE - this.get().filter(({ state }) => state === 'sending').length
    for (const { id } of this.get()
      .filter(({ state }) => state === 'waiting')
      .slice(0, free))
      void this.#sendUpload(id)
  }

  async #sendUpload(id: number): Promise<void> {
    const entry = this.#jobs.get(id)
    if (entry === undefined) return
    this.#updateUpload(id, { state: 'sending' })
    const { job, stop } = entry
    try {
      await job.run(stop.signal, (sent) => this.#updateUpload(id, { sent }))
      // An upload that was removed from the queue while its last bytes were sent does not count as done.
      if (this.#jobs.has(id)) this.#onDone()
      this.#removeUpload(id)
    } catch (error) {
      this.#updateUpload(id, { state: 'failed', error })
    }
    this.#startNext()
  }

  #removeUpload(id: number): void {
    this.#jobs.delete(id)
    this.#uploads.set(this.get().filter((upload) => upload.id !== id))
  }

  #updateUpload(id: number, change: Partial<QueuedUpload>): void {
    this.#uploads.set(this.get().map((upload) => (upload.id === id ? { ...upload, ...change } : upload)))
  }
}
