import type { BuildFrame } from '../agent/frames.ts'
import type { PlanFrame } from './message.ts'

/**
 * The text of a reply, built from the frames of its model calls. The frames it returns carry the same text: joined,
 * the text of all deltas a reader receives is the stored text, byte for byte. So white space at the edges of a model
 * call is not streamed, and the blank line between two calls is.
 */
export class ReplyText {
  /** The text of the calls that ended. */
  #ended = ''
  /** The text of the call that runs, the blank line before it included. */
  #current = ''
  /** White space that is only streamed when more text follows it. */
  #space = ''

  /** Returns the frame a reader receives for a frame of the agent, or null when there is nothing to tell. */
  read(frame: BuildFrame): PlanFrame | null {
    if (frame.type === 'tool') return frame
    if (frame.type === 'retry') {
      // The call is made again from its beginning, so what it had said so far is void.
      this.#current = ''
      this.#space = ''
      return { type: 'retry', waitMs: frame.waitMs, reason: frame.reason, text: this.#ended }
    }
    if (frame.type !== 'delta') return null
    const { text, ...others } = frame
    const said = text === undefined ? '' : this.#add(text)
    if (said !== '') return { ...others, text: said }
    return Object.keys(others).length > 1 ? others : null
  }

  /** Ends a model call. Call it after the last frame of that call was read. */
  endStep(): void {
    this.#ended += this.#current
    this.#current = ''
    this.#space = ''
  }

  toString(): string {
    return this.#ended + this.#current
  }

  /** Returns the part of `text` that is certain to be in the reply now. */
  #add(text: string): string {
    const waiting = this.#space + text
    const solid = waiting.trimEnd()
    if (solid === '') {
      this.#space = waiting
      return ''
    }
    this.#space = waiting.slice(solid.length)
    const paragraph = this.#ended === '' ? '' : '\n\n'
    const said = this.#current === '' ? paragraph + solid.trimStart() : solid
    this.#current += said
    return said
  }
}
