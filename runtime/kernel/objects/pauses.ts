/** A run that takes longer counts as failed. Until then the run is not retried, because it may still be in progress. */
export const LEASE_MS = 15 * 60_000
const FIRST_PAUSE_MS = 30_000

/** The error of a run that was interrupted, or that awaited a promise which never settled. */
export const NOT_ENDED = 'The run did not end within 15 minutes.'

/** Returns the pause after an attempt in milliseconds: half a minute after attempt 1, and doubled with each further one. */
export const pauseAfter = (attempt: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1)
