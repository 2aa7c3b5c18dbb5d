export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** True when each process counts for itself and the counts are never shared. */
  isLocal?: boolean
}

/** A rate limit with fixed windows: the count of a bucket starts again at the end of each window. */
export interface Counter {
  /** Counts one request of this bucket. Throws `rate_limited` when the window has more requests than the rule allows. */
  spend(bucket: string): Promise<void>
  /** Subtracts one request that was counted but should not count against the limit. */
  refund(bucket: string): Promise<void>
}

export interface CounterSource {
  /**
   * Returns the counter named `rule.name`. A later call with the same name returns the same counter and ignores the new
   * rule.
   */
  open(rule: CounterRule): Counter
}
