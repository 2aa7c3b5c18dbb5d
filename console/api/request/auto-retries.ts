import { SlipwayError } from '@slipway/sdk/errors.ts'

const FORGET_AFTER_MS = 120_000

/**
 * Remembers which rate-limited reads were retried automatically. Each read is retried once; after that the person decides. The component
 * that shows the countdown cannot keep this record, because each retry unmounts the component.
 */
export class AutoRetries {
  readonly #retriedAtMs = new Map<string, number>()

  /** Whether a rate-limited read failed with this error and was not retried within the last two minutes. */
  mayRetry(error: unknown, now: number): boolean {
    if (!(error instanceof SlipwayError) || error.code !== 'rate_limited' || error.method !== 'GET')
      return false
    return now - (this.#retriedAtMs.get(error.path) ?? -Infinity) > FORGET_AFTER_MS
  }

  /** Stores that the read which failed with this error was retried at `now`, in milliseconds. */
  record(error: unknown, now: number): void {
    if (error instanceof SlipwayError) this.#retriedAtMs.set(error.path, now)
  }
}

/** Shared by all pages, so that a page that is opened again does not retry the same read once more. */
export const autoRetries = new AutoRetries()
