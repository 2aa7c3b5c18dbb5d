export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** Never shared: each process counts for itself. */
  isLocal?: boolean
}

/** Fixed windows: the count of a bucket starts again at the end of each. */
export interface Counter {
  /** Counts one call of this bucket; throws `rate_limited` past the rule's points. */
  spend(bucket: string): Promise<void>
  /** Refunds one call that turned out not to count. */
  refund(bucket: string): Promise<void>
}

export interface CounterSource {
  /** The counter of this name; the first caller's rule holds. */
  open(rule: CounterRule): Counter
}
