/** The only source of the current time. It is passed as `ctx.clock`, so that tests can control time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * Starts a stopwatch. The returned function returns the milliseconds since the start; changes of the system time have no
 * effect.
 */
export function stopwatch(): () => number {
  const begun = performance.now()
  return () => performance.now() - begun
}
