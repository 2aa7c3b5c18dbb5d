import { styleText } from 'node:util'
import { type TaskResult, totalOf } from './figures.ts'

const COLUMNS = [
  'task',
  'tickets',
  'checks',
  'broke',
  'asked',
  'edit/rewrite',
  'tokens',
  'cached',
  's',
] as const

/** Formats the results: a line per task, its problems below it, the sum at the end. */
export function formatReport(results: readonly TaskResult[]): string {
  const rows = results.map((result) => [nameOf(result), ...cells([result])])
  const total = totalOf(results)
  const widths = COLUMNS.map((title, i) =>
    Math.max(title.length, 'pass rate'.length * Number(i === 0), ...rows.map((row) => row[i]?.length ?? 0)),
  )
  const line = (texts: readonly string[]) =>
    texts.map((text, i) => (i === 0 ? text.padEnd(widths[i] ?? 0) : text.padStart(widths[i] ?? 0))).join('  ')
  const lines = results.flatMap((result, i) => {
    if (result.skipped !== null)
      return [styleText('dim', `- ${nameOf(result).padEnd(widths[0] ?? 0)}  skipped: ${result.skipped}`)]
    const mark = result.passed ? styleText('green', '✔') : styleText('red', '✘')
    return [`${mark} ${line(rows[i] ?? [])}`, ...problemsOf(result)]
  })
  const rate =
    total.tasks === 0 ? 'nothing was run' : `${percent(total.passedTasks, total.tasks)} of the tasks pass`
  return [
    `  ${styleText('bold', line(COLUMNS))}`,
    ...lines,
    `  ${styleText('bold', line(['all', ...cells(results)]))}`,
    '',
    `${rate}, ${percent(total.passedTickets, total.tickets)} of the tickets, ${percent(total.passedChecks, total.checks)} of the checks; ${total.skipped} skipped.`,
    '',
  ].join('\n')
}

const nameOf = (result: TaskResult) => (result.run === 1 ? result.task : `${result.task} (run ${result.run})`)

function cells(results: readonly TaskResult[]): string[] {
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
  ]
}

function problemsOf(result: TaskResult): string[] {
  return result.tickets.flatMap((ticket) =>
    ticket.problems.map((problem) => styleText('dim', `    ${ticket.title}: ${problem}`)),
  )
}

const percent = (part: number, whole: number) => `${whole === 0 ? 0 : Math.round((100 * part) / whole)} %`
