export interface LimitsTables {
  rate_limits: RateLimitsTable
}

/** Counts of the rate limit library. It writes them, and so does the move of counters between memory and the database. */
export interface RateLimitsTable {
  key: string
  points: number
  expire: number
}
