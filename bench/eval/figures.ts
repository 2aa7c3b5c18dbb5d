import type { Usage } from '@slipway/sdk/frames.ts'
import type { Judgement } from './judge.ts'

export interface TicketResult {
  title: string
  /** `built`, `replied`, `awaiting`, `cancelled`, `timeout`, or the kind of failure. */
  outcome: string
  passed: boolean
  /** Why the ticket did not pass; empty when it passed. */
  problems: string[]
  checks: { passed: number; total: number }
  /** The number of checks of earlier tickets that no longer pass. */
  regressions: number
  questions: number
  /** The number of files changed by edits, and of existing files that were rewritten as a whole. */
  edits: number
  rewrites: number
  usage: Usage
  seconds: number
}

export interface TaskResult {
  task: string
  model: string
  run: number
  passed: boolean
  /** Why the task was not run; null when it was. */
  skipped: string | null
  /** The judge's opinion of the finished app. Null without a judge, and when the judge failed. */
  judged: Judgement | null
  /** The value of `--label`, which distinguishes several evaluations of the same model. */
  label: string | null
  tickets: TicketResult[]
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Sums up the results. Skipped tasks do not count. */
export function totalOf(results: readonly TaskResult[]) {
  const run = results.filter((result) => result.skipped === null)
  const tickets = run.flatMap((result) => result.tickets)
  const sum = (pick: (ticket: TicketResult) => number) =>
    tickets.reduce((all, ticket) => all + pick(ticket), 0)
  const scores = run.flatMap(({ judged }) => (judged === null ? [] : [judged.score]))
  return {
    tasks: run.length,
    skipped: results.length - run.length,
    passedTasks: run.filter((result) => result.passed).length,
    tickets: tickets.length,
    passedTickets: tickets.filter((ticket) => ticket.passed).length,
    passedChecks: sum((ticket) => ticket.checks.passed),
    checks: sum((ticket) => ticket.checks.total),
    regressions: sum((ticket) => ticket.regressions),
    questions: sum((ticket) => ticket.questions),
    edits: sum((ticket) => ticket.edits),
    rewrites: sum((ticket) => ticket.rewrites),
    tokens: sum((ticket) => ticket.usage.input + ticket.usage.output),
    cached: sum((ticket) => ticket.usage.cacheRead),
    seconds: sum((ticket) => ticket.seconds),
    /** The mean score of the judge; null when there is no score. */
    score: scores.length === 0 ? null : scores.reduce((all, score) => all + score, 0) / scores.length,
  }
}
