import { WorldClock } from '../world/clock.ts'

/** A clock that stands still until a test advances it, so that slow tests do not expire leases. */
export class HeldClock extends WorldClock {
  #at: number

  constructor(at = Date.now()) {
    super()
    this.#at = at
  }

  override readonly now = (): number => this.#at

  override advance(ms: number): void {
    this.#at += ms
    super.advance(ms)
  }
}
