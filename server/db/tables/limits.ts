export interface LimitsTables {
  rate_limits: RateLimitsTable
}

/** Written by the rate limit library, and when counters move between memory and the database. */
export interface RateLimitsTable {
  key: string
  points: number
  expire: number
}
