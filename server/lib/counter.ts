export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** True when each process counts for itself and the counts are never shared. */
  isLocal?: boolean
}

/** A rate limit with fixed windows: the count of a bucket starts again at the end of each window. */
export interface Counter {
  /** Counts one call of this bucket. Throws `rate_limited` when the window has more calls than the rule allows. */
  spend(bucket: string): Promise<void>
  /** Takes one call back, for a call that turned out not to count. */
  refund(bucket: string): Promise<void>
}

export interface CounterSource {
  /** Returns the counter of this name. The rule of the first call applies. */
  open(rule: CounterRule): Counter
}
