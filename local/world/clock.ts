/** The control routes advance it, so that tokens expire without waiting. */
export class WorldClock {
  readonly #listeners: (() => void)[] = []
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  advance(ms: number): void {
    this.#aheadMs += ms
    for (const tell of this.#listeners) tell()
  }

  /** The time that a timer waits for may have passed, so it must check again. */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
