import type { BuildFrame } from '../agent/frames.ts'
import type { PlanFrame } from './message.ts'

/**
 * The text of a reply, built from the frames of its model calls. The stored text joins the trimmed texts of the calls with
 * a blank line. The deltas that a client receives add up to exactly that text, so they leave out white space at the edges of
 * a call and contain the blank lines.
 */
export class ReplyText {
  /** The text of finished model calls. */
  #endedText = ''
  /** The text of the running call, including the blank line before it. */
  #currentText = ''
  /** White space that is streamed only when more text follows. */
  #heldSpace = ''

  /** Returns the frame for the reader; null when the reader gets no frame. */
  read(frame: BuildFrame): PlanFrame | null {
    if (frame.type === 'tool') return frame
    if (frame.type === 'retry') {
      // The call is repeated from its beginning, so its text so far is discarded.
      this.#currentText = ''
      this.#heldSpace = ''
      return { type: 'retry', waitMs: frame.waitMs, reason: frame.reason, text: this.#endedText }
    }
    if (frame.type !== 'delta') return null
    const { text, ...others } = frame
    const said = text === undefined ? '' : this.#addText(text)
    if (said !== '') return { ...others, text: said }
    return Object.keys(others).length > 1 ? others : null
  }

  /** Call it after the last frame of the model call was read. */
  endStep(): void {
    this.#endedText += this.#currentText
    this.#currentText = ''
    this.#heldSpace = ''
  }

  toString(): string {
    return this.#endedText + this.#currentText
  }

  /** White space at the end of a piece may be the end of the reply, so it is sent only with the text that follows. */
  #addText(text: string): string {
    const waiting = this.#heldSpace + text
    const solid = waiting.trimEnd()
    if (solid === '') {
      this.#heldSpace = waiting
      return ''
    }
    this.#heldSpace = waiting.slice(solid.length)
    const paragraph = this.#endedText === '' ? '' : '\n\n'
    const said = this.#currentText === '' ? paragraph + solid.trimStart() : solid
    this.#currentText += said
    return said
  }
}
