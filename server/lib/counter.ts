export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** Counted by each process for itself, always. */
  isLocal?: boolean
}

/** Counts by bucket in fixed windows. */
export interface Counter {
  /** Adds one to this bucket. Throws `rate_limited` when the bucket has spent the rule's points. */
  spend(bucket: string): Promise<void>
  /** Takes one back that turned out not to count. */
  release(bucket: string): Promise<void>
}

/** The counters of the service by name. */
export interface CounterSource {
  /** The counter of this name; the first caller's rule holds. */
  open(rule: CounterRule): Counter
}
