const FIRST_PAUSE_MS = 500
const PAUSE_MS_MAX = 8000

/**
 * Returns the pause before a retry in milliseconds. `retry` is 0 for the first one, whose pause is at most half a second; each further
 * pause is twice as long, up to eight seconds. `jitter` is the share of the pause that is random, from 0 to 1, so that clients that failed
 * at the same moment do not retry at the same moment. `random` returns a number from 0 to below 1.
 */
export function backoffMs(retry: number, jitter: number, random: () => number = Math.random): number {
  return Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** retry) * (1 - jitter + jitter * random())
}
