import type { Usage } from '@slipway/sdk/frames.ts'
import type { Judgement } from './judge.ts'

export interface TicketResult {
  title: string
  /** `built`, `replied`, `awaiting`, `cancelled`, `timeout`, or the kind of the failure. */
  outcome: string
  passed: boolean
  /** Why it did not pass; empty when it did. */
  problems: string[]
  checks: { passed: number; total: number }
  /** Checks of earlier tickets that no longer pass. */
  regressions: number
  questions: number
  /** Files changed by edits, and existing files that were rewritten whole. */
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
  /** Why it was not run, or null. */
  skipped: string | null
  /** What a judge thinks of the finished app; null without a judge, or when it failed. */
  judged: Judgement | null
  /** `--label`, to tell apart evaluations of one model. */
  label: string | null
  tickets: TicketResult[]
}

export const NO_USAGE: Usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Sums over the results that were run; skipped ones do not count. */
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
    /** The mean score of the judge, or null when none judged. */
    score: scores.length === 0 ? null : scores.reduce((all, score) => all + score, 0) / scores.length,
  }
}
