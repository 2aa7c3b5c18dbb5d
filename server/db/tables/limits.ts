export interface LimitsTables {
  rate_limits: RateLimitsTable
}

/**
 * The counts of the rate limits while several processes of the service run; a single process keeps them in memory.
 * The rate limit library writes this table. `SharedRows` moves the counts from memory to this table when a second
 * process starts, and back when only one is left.
 */
export interface RateLimitsTable {
  key: string
  points: number
  expire: number
}
