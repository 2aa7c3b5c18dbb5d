/** The product's only source of "now", passed as `ctx.clock` so that tests can control time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/**
 * Returns a function that returns the milliseconds since this call. Changes of the system time have no
 * effect.
 */
export function stopwatch(): () => number {
  const begun = performance.now()
  return () => performance.now() - begun
}
