/** The product's only source of "now", passed as `ctx.clock` so that tests can hold time still. */
export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }
