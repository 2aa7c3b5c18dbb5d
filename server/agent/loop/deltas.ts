import type { Delta } from '../model/call.ts'
import type { BuildFrame } from '../frames.ts'

// One insert and one notification per window: the first delta is written at once, later deltas wait at most this long.
const WINDOW_MS = 50

/**
 * Batches the deltas of a model call into a few frames, in order and with one write at a time. The frames in `announced` are written
 * at once, before the first delta arrives.
 */
export class DeltaWriter {
  readonly #append: (frames: BuildFrame[]) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #waitingFrames: BuildFrame[] = []
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()
  #lastAppendAt = 0

  constructor(
    append: (frames: BuildFrame[]) => Promise<void>,
    { announced, onFailure }: { announced: BuildFrame[]; onFailure: (error: unknown) => void },
  ) {
    this.#append = append
    this.#onFailure = onFailure
    this.#waitingFrames = announced
    this.#send()
    this.#lastAppendAt = 0
  }

  add(delta: Delta): void {
    this.#merge(delta)
    if (this.#timer !== null) return
    const wait = Math.max(0, this.#lastAppendAt + WINDOW_MS - performance.now())
    this.#timer = setTimeout(() => this.#send(), wait)
  }

  /** Resolves when everything that was added is stored. */
  async flush(): Promise<void> {
    this.#send()
    await this.#writing
  }

  /** Returns the frames that are not stored yet. The caller stores them together with its next frames. */
  async takeRest(): Promise<BuildFrame[]> {
    // Cleared before the wait for the last write, because the timer could start another write meanwhile, which no code would await.
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    await this.#writing
    return this.#waitingFrames.splice(0)
  }

  #merge(delta: Delta): void {
    const last = this.#waitingFrames.at(-1)
    const isSameTool =
      last?.type === 'delta' && last.tool === delta.tool && (last.path ?? delta.path) === delta.path
    if (!isSameTool) {
      this.#waitingFrames.push({ type: 'delta', ...delta })
      return
    }
    if (delta.text !== undefined) last.text = (last.text ?? '') + delta.text
    if (delta.reasoning !== undefined) last.reasoning = (last.reasoning ?? '') + delta.reasoning
    if (delta.toolChars !== undefined) last.toolChars = (last.toolChars ?? 0) + delta.toolChars
    if (delta.path !== undefined) last.path = delta.path
  }

  #send(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#waitingFrames.length === 0) return
    const frames = this.#waitingFrames
    this.#waitingFrames = []
    this.#lastAppendAt = performance.now()
    this.#writing = this.#writing.then(() => this.#append(frames)).catch(this.#onFailure)
  }
}
