/** A run that takes longer counts as failed. It is not started again before that. */
export const LEASE_MS = 15 * 60_000
const FIRST_PAUSE_MS = 30_000

/** The error of a run that was interrupted, or that awaited a promise which never settled. */
export const NOT_ENDED = 'The run did not end within 15 minutes.'

/** Returns the pause in milliseconds: half a minute, doubled for each attempt. */
export const pauseAfter = (attempt: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1)
