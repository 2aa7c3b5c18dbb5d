import { readFileSync } from 'node:fs'
import { type TaskResult, totalOf } from './figures.ts'
import { type Interval, meanDifference, wilsonInterval } from './intervals.ts'
import { markdownTable, textTable } from './tables.ts'

/** The results of one evaluation, such as the evaluation of a model or of a version of the prompts. */
export interface Side {
  name: string
  results: readonly TaskResult[]
}

/** Reads a file that `--out` wrote. Throws for a line that is not JSON, and for a file without results. */
export function readSide(file: string): Side {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
  const results = lines.map((line) => JSON.parse(line) as TaskResult)
  const [first] = results
  if (first === undefined) throw new Error(`There are no results in ${file}.`)
  return { name: `${first.label ?? first.model} (${file})`, results }
}

interface TaskPair {
  task: string
  /** The share of attempts that passed, in each of the two evaluations. */
  left: number
  right: number
}

export function pairsOf(left: Side, right: Side): TaskPair[] {
  const shares = ({ results }: Side) => {
    const tries = Map.groupBy(
      results.filter((result) => result.skipped === null),
      (result) => result.task,
    )
    return new Map(
      [...tries].map(([task, all]) => [task, all.filter((one) => one.passed).length / all.length]),
    )
  }
  const others = shares(right)
  return [...shares(left)].flatMap(([task, share]) => {
    const other = others.get(task)
    return other === undefined ? [] : [{ task, left: share, right: other }]
  })
}

/** Formats two evaluations side by side, for the tasks that are in both. */
export function formatComparison(left: Side, right: Side, style: 'text' | 'markdown'): string {
  const pairs = pairsOf(left, right)
  const common = new Set(pairs.map(({ task }) => task))
  const difference = meanDifference(pairs.map((pair) => pair.right - pair.left))
  const totalOfCommon = ({ results }: Side) => totalOf(results.filter((result) => common.has(result.task)))
  const [a, b] = [totalOfCommon(left), totalOfCommon(right)]
  const both = (title: string, show: (of: typeof a) => string) => [title, show(a), show(b)]
  const rows = [
    ...pairs.map((pair) => [pair.task, percentOf(pair.left), percentOf(pair.right)]),
    both('all tasks', (of) => withInterval(wilsonInterval(of.passedTasks, of.tasks))),
    both('all checks', (of) =>
      of.checks === 0 ? 'none' : withInterval(wilsonInterval(of.passedChecks, of.checks)),
    ),
    both('promises broken', (of) => String(of.regressions)),
    both('tokens for each task', (of) => String(Math.round(of.tokens / of.tasks))),
    both('seconds for each task', (of) => (of.seconds / of.tasks).toFixed(1)),
  ]
  const table = (style === 'text' ? textTable : markdownTable)(['task', 'A', 'B'], rows)
  return `A: ${left.name}\nB: ${right.name}\n\n${table}\n${describeDifference(difference)}\n`
}

function describeDifference(difference: Interval): string {
  const { low, high } = difference
  const points = (share: number) => `${share > 0 ? '+' : ''}${Math.round(share * 100)}`
  const found = `B passes ${points(difference.value)} points of the tasks against A (95 %: ${points(low)} to ${points(high)}).`
  if (low > 0) return `${found} B is better.`
  if (high < 0) return `${found} A is better.`
  return `${found} The difference may be chance: repeat with more --runs.`
}

export const percentOf = (share: number): string => `${Math.round(100 * share)} %`

export const withInterval = ({ value, low, high }: Interval): string =>
  `${percentOf(value)} (${Math.round(100 * low)} to ${Math.round(100 * high)})`
