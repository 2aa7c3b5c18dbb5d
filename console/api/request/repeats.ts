import { SlipwayError } from '@slipway/sdk/errors.ts'

const FORGOTTEN_MS = 120_000

/**
 * Which reads the console repeated by itself after they came too often: each once, then the next step is the
 * person's. The note that counts down comes and goes with every try, so this is remembered here.
 */
export class Repeats {
  readonly #at = new Map<string, number>()

  /** Whether this failure is that of a read which may be repeated by itself. */
  mayRepeat(error: unknown, now: number): boolean {
    if (!(error instanceof SlipwayError) || error.code !== 'rate_limited' || error.method !== 'GET')
      return false
    return now - (this.#at.get(error.path) ?? -Infinity) > FORGOTTEN_MS
  }

  /** Notes that it was repeated. */
  note(error: unknown, now: number): void {
    if (error instanceof SlipwayError) this.#at.set(error.path, now)
  }
}

export const repeats = new Repeats()
