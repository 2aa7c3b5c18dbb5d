import { styleText } from 'node:util'
import { percentOf, withInterval } from './compare.ts'
import { type TaskResult, totalOf } from './figures.ts'
import { wilsonInterval } from './intervals.ts'
import { markdownTable, textTable } from './tables.ts'

const REPORT_COLUMNS = [
  'task',
  'tickets',
  'checks',
  'broke',
  'asked',
  'edit/rewrite',
  'tokens',
  'cached',
  's',
  'judge',
] as const

/** Formats the results for a terminal: one line per task with its problems below, and the totals at the end. */
export function formatReport(results: readonly TaskResult[]): string {
  const [head = '', ...lines] = textTable(columnTitles(results), rowsOf(results)).trimEnd().split('\n')
  const marked = results.flatMap((result, i) => {
    const line = lines[i] ?? ''
    if (result.skipped !== null)
      return [styleText('dim', `- ${resultName(result)}  skipped: ${result.skipped}`)]
    const mark = result.passed ? styleText('green', '✔') : styleText('red', '✘')
    return [`${mark} ${line}`, ...problemsOf(result).map((problem) => styleText('dim', `    ${problem}`))]
  })
  const total = lines.at(-1) ?? ''
  return [
    `  ${styleText('bold', head)}`,
    ...marked,
    `  ${styleText('bold', total)}`,
    '',
    summaryOf(results),
    '',
  ].join('\n')
}

export function formatMarkdown(model: string, results: readonly TaskResult[]): string {
  const problems = results.flatMap((result) =>
    problemsOf(result).map((problem) => `- ${resultName(result)}: ${problem}`),
  )
  return [
    `# ${model}`,
    summaryOf(results),
    markdownTable(columnTitles(results), rowsOf(results)).trimEnd(),
    ...(problems.length === 0 ? [] : [`## What failed\n\n${problems.join('\n')}`]),
    '',
  ].join('\n\n')
}

function summaryOf(results: readonly TaskResult[]): string {
  const total = totalOf(results)
  if (total.tasks === 0) return `Nothing was run; ${total.skipped} skipped.`
  const tasks = `${withInterval(wilsonInterval(total.passedTasks, total.tasks))} of the tasks pass`
  const percent = (part: number, whole: number) => percentOf(whole === 0 ? 0 : part / whole)
  return `${tasks}, ${percent(total.passedTickets, total.tickets)} of the tickets, ${percent(total.passedChecks, total.checks)} of the checks; ${total.skipped} skipped. In brackets: where the true value lies with 95 % certainty.`
}

const resultName = (result: TaskResult) =>
  result.run === 1 ? result.task : `${result.task} (run ${result.run})`

/** The judge's column is left out when no result has a score. */
const columnTitles = (results: readonly TaskResult[]) =>
  totalOf(results).score === null ? REPORT_COLUMNS.slice(0, -1) : REPORT_COLUMNS

function rowsOf(results: readonly TaskResult[]): string[][] {
  const width = columnTitles(results).length
  return [
    ...results.map((result) => [resultName(result), ...cellsOf([result])]),
    ['all', ...cellsOf(results)],
  ].map((row) => row.slice(0, width))
}

function cellsOf(results: readonly TaskResult[]): string[] {
  const of = totalOf(results)
  return [
    `${of.passedTickets}/${of.tickets}`,
    `${of.passedChecks}/${of.checks}`,
    String(of.regressions),
    String(of.questions),
    `${of.edits}/${of.rewrites}`,
    String(of.tokens),
    String(of.cached),
    of.seconds.toFixed(1),
    of.score === null ? '' : of.score.toFixed(2),
  ]
}

const problemsOf = (result: TaskResult): string[] =>
  result.tickets.flatMap((ticket) => ticket.problems.map((problem) => `${ticket.title}: ${problem}`))
