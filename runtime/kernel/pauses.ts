/** A run that takes longer counts as failed. Until then it is not started again. */
export const LEASE_MS = 15 * 60_000
const FIRST_PAUSE_MS = 30_000

/** For a run whose worker was replaced, or that waits for something that never comes. */
export const NOT_ENDED = 'The run did not end within 15 minutes.'

/** Returns milliseconds: half a minute, then twice as long each time. */
export const pauseAfter = (attempt: number): number => FIRST_PAUSE_MS * 2 ** (attempt - 1)
