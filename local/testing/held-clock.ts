import { WorldClock } from '../world/clock.ts'

/** A clock that only a test advances, so that leases do not expire in a slow test. */
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

  /** Moves the clock without calling listeners, as time passes between two rounds of a timer. */
  pass(ms: number): void {
    this.#at += ms
  }
}
