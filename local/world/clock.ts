/** The time of the stand-ins. Control moves it forward, so that tokens expire without waiting. */
export class WorldClock {
  #aheadMs = 0

  readonly now = (): number => Date.now() + this.#aheadMs

  advance(ms: number): void {
    this.#aheadMs += ms
  }
}
