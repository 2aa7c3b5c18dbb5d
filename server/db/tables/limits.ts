export interface LimitsTables {
  rate_limits: RateLimitsTable
}

/**
 * The rate limit counts of processes that run beside each other; a single process has them in memory. The
 * rate limit library writes them. `SharedRows` inserts the counts from memory when a second process starts,
 * and takes them back when only one is left.
 */
export interface RateLimitsTable {
  key: string
  points: number
  expire: number
}
