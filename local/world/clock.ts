/** The clock of the stand-ins. The control routes advance it, so that tokens expire without waiting. */
export class WorldClock {
  readonly #listeners: (() => void)[] = []
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  advance(ms: number): void {
    this.#aheadMs += ms
    for (const tell of this.#listeners) tell()
  }

  /** Registers a listener for timers that wait for a time: it may have passed. */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
