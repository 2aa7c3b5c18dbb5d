/** The only source of the current time. It is passed as `ctx.clock`, so that tests can control time. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Starts measuring. Returns a function that returns the milliseconds since; changes of the system time have no effect. */
export function stopwatch(): () => number {
  const begun = performance.now()
  return () => performance.now() - begun
}
