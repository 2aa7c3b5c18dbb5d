/** A value with its 95 percent confidence interval. */
export interface Interval {
  value: number
  low: number
  high: number
}

/** The 97.5th percentile of the normal distribution, for a two-sided interval of 95 percent. */
const Z_SCORE = 1.96
const RESAMPLE_COUNT = 2000

/**
 * Returns the share of `passed` in `total` with its Wilson score interval. Unlike the normal approximation, this interval stays between 0
 * and 1 and is meaningful even for few attempts. Throws when `total` is 0.
 */
export function wilsonInterval(passed: number, total: number): Interval {
  if (total === 0) throw new Error('A share of nothing has no interval.')
  const share = passed / total
  const weight = Z_SCORE ** 2 / total
  const middle = (share + weight / 2) / (1 + weight)
  const reach = (Z_SCORE / (1 + weight)) * Math.sqrt((share * (1 - share)) / total + weight / (4 * total))
  return { value: share, low: Math.max(0, middle - reach), high: Math.min(1, middle + reach) }
}

/**
 * Returns the mean of the differences with its bootstrap interval. Pass one difference per task, because the attempts of one task are not
 * independent. The same input always returns the same interval.
 */
export function meanDifference(differences: readonly number[]): Interval {
  if (differences.length === 0) throw new Error('No tasks in common.')
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const random = seededRandom(differences.length)
  const means = Array.from({ length: RESAMPLE_COUNT }, () =>
    mean(differences.map(() => differences[Math.floor(random() * differences.length)] ?? 0)),
  ).sort((a, b) => a - b)
  const at = (share: number) => means[Math.floor(share * (RESAMPLE_COUNT - 1))] ?? 0
  return { value: mean(differences), low: at(0.025), high: at(0.975) }
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). It is seeded, so that a repeated report has the same figures. */
function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
