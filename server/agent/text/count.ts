import { diffLines } from 'diff'
import { type LineSums, wholeFile } from './line-sums.ts'

/** The time for all files of one request together. The remaining files are then counted as if every line was replaced. */
const BUDGET_MS = 1_000
/** Two files with little in common would use the whole budget for a result of little worth. */
const FILE_MS = 100

export function countChanges(pairs: readonly (readonly [string, string])[]): LineSums[] {
  const deadline = performance.now() + BUDGET_MS
  return pairs.map(([before, after]) => {
    const timeout = Math.min(FILE_MS, deadline - performance.now())
    const exact = before === '' || after === '' || timeout <= 0 ? null : countExactly(before, after, timeout)
    return exact ?? wholeFile(before, after)
  })
}

function countExactly(before: string, after: string, timeout: number): LineSums | null {
  const changes = diffLines(before, after, { timeout })
  if (!changes) return null
  return changes.reduce(
    (sums, { added, removed, count }) => ({
      added: sums.added + (added ? count : 0),
      removed: sums.removed + (removed ? count : 0),
    }),
    { added: 0, removed: 0 },
  )
}
