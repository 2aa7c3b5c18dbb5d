import type { PlanFrame } from './message.ts'

/**
 * Frames queued for one reader. Pieces of text that wait for a slow reader are merged, so the queue takes no more memory
 * than the reply. Nothing is queued for a reader who has disconnected.
 */
export class FrameQueue {
  #waitingFrames: PlanFrame[] = []
  #isOpen = true
  #wake = () => {}

  push(frame: PlanFrame): void {
    if (!this.#isOpen) return
    const last = this.#waitingFrames.at(-1)
    if (
      last?.type === 'delta' &&
      frame.type === 'delta' &&
      last.tool === frame.tool &&
      last.path === frame.path
    )
      mergeDelta(last, frame)
    else this.#waitingFrames.push(frame)
    this.#wake()
  }

  /** Ends the queue. Queued frames can still be read. */
  end(): void {
    this.#isOpen = false
    this.#wake()
  }

  async *read(signal: AbortSignal): AsyncGenerator<PlanFrame> {
    const leave = () => this.#wake()
    signal.addEventListener('abort', leave, { once: true })
    try {
      while (!signal.aborted) {
        const frame = this.#waitingFrames.shift()
        if (frame !== undefined) yield frame
        else if (this.#isOpen) await new Promise<void>((resolve) => (this.#wake = resolve))
        else return
      }
    } finally {
      signal.removeEventListener('abort', leave)
      this.#isOpen = false
      this.#waitingFrames = []
    }
  }
}

type DeltaFrame = Extract<PlanFrame, { type: 'delta' }>

function mergeDelta(into: DeltaFrame, next: DeltaFrame): void {
  if (next.text !== undefined) into.text = (into.text ?? '') + next.text
  if (next.reasoning !== undefined) into.reasoning = (into.reasoning ?? '') + next.reasoning
  if (next.toolChars !== undefined) into.toolChars = (into.toolChars ?? 0) + next.toolChars
}
