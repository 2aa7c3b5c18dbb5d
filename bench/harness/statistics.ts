/** The middle value; for an even count, the mean of the two middle values. */
export function median(values: readonly number[]): number {
  if (values.length === 0) throw new Error('a median of nothing')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? valueAt(sorted, middle)
    : (valueAt(sorted, middle - 1) + valueAt(sorted, middle)) / 2
}

export interface Spread {
  median: number
  min: number
  max: number
}

/** The per-round ratios of two series measured in the same rounds; throws when their lengths differ. */
export function ratios(ours: readonly number[], theirs: readonly number[]): Spread {
  if (ours.length !== theirs.length) throw new Error('series of different length')
  const each = ours.map((value, round) => value / valueAt(theirs, round))
  return { median: median(each), min: Math.min(...each), max: Math.max(...each) }
}

/**
 * Whether the ratios and the values of the baseline each vary by at most 2x over the rounds. A larger variation means that the machine was
 * busy with something else.
 */
export function isSteady(spread: Spread, yardstick: readonly number[]): boolean {
  return spread.max / spread.min <= 2 && Math.max(...yardstick) / Math.min(...yardstick) <= 2
}

function valueAt(values: readonly number[], index: number): number {
  const value = values[index]
  if (value === undefined) throw new RangeError(`no value ${index}`)
  return value
}
