/** The time of the stand-ins. Control moves it forward, so that tokens expire without waiting. */
export class WorldClock {
  readonly #listeners: (() => void)[] = []
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  advance(ms: number): void {
    this.#aheadMs += ms
    for (const tell of this.#listeners) tell()
  }

  /** For whoever waits for a time with a timer: the wait may be over. */
  onAdvance(listener: () => void): void {
    this.#listeners.push(listener)
  }
}
