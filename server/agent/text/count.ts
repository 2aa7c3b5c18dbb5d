import { diffLines } from 'diff'
import { type LineCounts, countAllLines } from './line-counts.ts'

/** Maximum time for comparing all files of one request. Files that are not compared in this time count as if every line was replaced. */
const DIFF_MS_MAX = 1_000
/** Maximum time for one file. Otherwise two files with little in common would use the whole time for a result of little use. */
const DIFF_MS_PER_FILE_MAX = 100

export function countChanges(pairs: readonly (readonly [string, string])[]): LineCounts[] {
  const deadline = performance.now() + DIFF_MS_MAX
  return pairs.map(([before, after]) => {
    const timeout = Math.min(DIFF_MS_PER_FILE_MAX, deadline - performance.now())
    const exact = before === '' || after === '' || timeout <= 0 ? null : countExactly(before, after, timeout)
    return exact ?? countAllLines(before, after)
  })
}

function countExactly(before: string, after: string, timeout: number): LineCounts | null {
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
