/** A clock that tests advance over HTTP (the control routes), so that tokens expire without waiting. */
export class WorldClock {
  readonly #listeners: (() => void)[] = []
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  advance(ms: number): void {
    this.#aheadMs += ms
    for (const tell of this.#listeners) tell()
  }

  /** Calls the listener each time the clock was advanced, because a timer may then be due. */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
