import type { SseBytes } from '../../http/endpoint.ts'
import { encodeMessages } from '../../http/sse.ts'
import { endsStream, type RunEvent } from './events.ts'

/** One or more consecutive stored frames of one run. All readers share the object, so that the bytes they send are encoded once. */
export class StoredFrames implements SseBytes {
  readonly events: readonly RunEvent[]
  readonly #runId: string
  #bytes: Uint8Array | undefined

  constructor(runId: string, events: readonly RunEvent[]) {
    this.#runId = runId
    this.events = events
  }

  get firstSeq(): number {
    return this.events[0]?.seq ?? 0
  }

  get lastSeq(): number {
    return this.events.at(-1)?.seq ?? 0
  }

  /** Length of the text in characters, roughly its bytes. */
  get size(): number {
    return this.events.reduce((sum, event) => sum + event.body.length, 0)
  }

  /** Returns the frames after a number: this object when all of its frames are later, null when none is. */
  after(seq: number): StoredFrames | null {
    if (seq < this.firstSeq) return this
    if (seq >= this.lastSeq) return null
    return new StoredFrames(
      this.#runId,
      this.events.filter((event) => event.seq > seq),
    )
  }

  get isTerminal(): boolean {
    const last = this.events.at(-1)
    return last !== undefined && endsStream(last)
  }

  get bytes(): Uint8Array {
    this.#bytes ??= encodeMessages(
      this.events.map((event) => ({ id: `${this.#runId}:${event.seq}`, data: event.body })),
    )
    return this.#bytes
  }
}
