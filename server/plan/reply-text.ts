import type { BuildFrame } from '../agent/frames.ts'

/** What a reply has said so far: the text of every model call, in order. */
export class ReplyText {
  #said: string[] = []
  #current = ''

  /** A failed try of a call is said again from its beginning. */
  read(frame: BuildFrame): void {
    if (frame.type === 'delta') this.#current += frame.text ?? ''
    if (frame.type === 'retry') this.#current = ''
  }

  /** The model call is over. */
  endStep(): void {
    this.#said.push(this.#current)
    this.#current = ''
  }

  toString(): string {
    return [...this.#said, this.#current]
      .map((text) => text.trim())
      .filter((text) => text !== '')
      .join('\n\n')
  }
}
