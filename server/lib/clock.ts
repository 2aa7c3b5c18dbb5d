/** The product's only source of "now", passed as `ctx.clock` so that tests can hold time still. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

/** Starts counting and returns a function that returns the milliseconds since then. A changed system time has no effect. */
export function stopwatch(): () => number {
  const begun = performance.now()
  return () => performance.now() - begun
}
