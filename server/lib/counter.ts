export interface CounterRule {
  name: string
  points: number
  seconds: number
  /** Counted by each process for itself, always. */
  isLocal?: boolean
}

/** Counts calls by bucket in fixed windows. */
export interface Counter {
  /** Counts one call of this bucket; throws `rate_limited` past the rule's points. */
  spend(bucket: string): Promise<void>
  /** Refunds one call that turned out not to count. */
  refund(bucket: string): Promise<void>
}

/** The counters of the service by name. */
export interface CounterSource {
  /** The counter of this name; the first caller's rule holds. */
  open(rule: CounterRule): Counter
}
