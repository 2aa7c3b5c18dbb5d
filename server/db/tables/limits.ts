export interface LimitsTables {
  rate_limits: RateLimitsTable
}

/**
 * Counts of the rate limit library, which writes them; `SharedRows` adds and removes those that move from or
 * to memory.
 */
export interface RateLimitsTable {
  key: string
  points: number
  expire: number
}
