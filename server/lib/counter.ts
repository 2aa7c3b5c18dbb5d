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
  /** Returns the counter with the name of the rule. When it is already open, it keeps the rule with which it was opened. */
  open(rule: CounterRule): Counter
}
