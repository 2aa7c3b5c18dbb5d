interface BackoffOptions {
  /** The longest pause before the first retry, in milliseconds. Each further retry doubles it. */
  firstMs: number
  /** No pause is longer, in milliseconds. Without it the pauses grow without a limit. */
  maxMs?: number
  /**
   * The share of a pause that is random, from 0 (every caller waits equally long) to 1 (from no pause to the whole one). Random pauses keep
   * callers that failed at the same moment from retrying at the same moment.
   */
  jitter: number
  /** Returns a number from 0 to below 1. */
  random?: () => number
}

/**
 * Returns the pause before a retry in milliseconds, which may be a fraction. `attempt` is the number of earlier retries, so it is 0 for the
 * first one. The pause is at most `firstMs * 2 ** attempt` and at least this length times `1 - jitter`; both are cut at `maxMs` first.
 */
export function backoffMs(
  attempt: number,
  { firstMs, maxMs = Infinity, jitter, random = Math.random }: BackoffOptions,
): number {
  return Math.min(maxMs, firstMs * 2 ** attempt) * (1 - jitter + jitter * random())
}
