import * as z from 'zod'
import { type CheckReport, PHASES } from '../agent/check-report.ts'
import { costUsd } from '../agent/model/prices.ts'
import { FailureKind, Question, ShownError, TokenCounts } from '../agent/frames.ts'
import type { RunRow, StoredCheck } from '../db/tables/runs.ts'

const RUN_STATUSES = ['queued', 'running', 'awaiting', 'succeeded', 'failed', 'cancelled'] as const

const ChangedFile = z.object({ path: z.string(), added: z.int(), removed: z.int() })

const CheckResult = z.object({
  name: z.enum(PHASES).or(z.string()),
  ok: z.boolean(),
  ms: z.number(),
  errors: z.array(ShownError),
})

export const BuildRun = z
  .object({
    id: z.string(),
    projectId: z.string(),
    ticketId: z.string(),
    status: z.enum(RUN_STATUSES),
    outcome: z.enum(['built', 'awaiting', 'replied']).nullable(),
    attempt: z.int(),
    resumedFrom: z.string().nullable(),
    trigger: z.enum(['api', 'stream', 'queue']),
    model: z.string(),
    questions: z.array(Question).nullable(),
    message: z.string().nullable(),
    sha: z.string().nullable(),
    files: z.array(ChangedFile),
    checks: z.array(CheckResult),
    usage: TokenCounts,
    costUsd: z
      .number()
      .nullable()
      .describe('What these tokens cost at the list price of the provider; null when it is not known.'),
    error: z.object({ kind: FailureKind, message: z.string() }).nullable(),
    startedAt: z.iso.datetime().nullable(),
    finishedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'BuildRun' })
export type BuildRun = z.output<typeof BuildRun>

/** The columns that the API shows. The other columns can be large, above all `input`. */
export const SHOWN_COLUMNS = [
  'id',
  'org_id',
  'project_id',
  'ticket_id',
  'status',
  'outcome',
  'attempt',
  'resumed_from',
  'trigger',
  'provider',
  'model',
  'questions',
  'message',
  'sha',
  'files',
  'checks',
  'usage',
  'error',
  'started_at',
  'finished_at',
  'created_at',
] as const satisfies (keyof RunRow)[]
export type ShownRun = Pick<RunRow, (typeof SHOWN_COLUMNS)[number]>

export function presentRun(row: ShownRun): BuildRun {
  return {
    id: row.id,
    projectId: row.project_id,
    ticketId: row.ticket_id,
    status: row.status,
    outcome: row.outcome,
    attempt: row.attempt,
    resumedFrom: row.resumed_from,
    trigger: row.trigger,
    model: generatedBy(row),
    questions: row.questions,
    message: row.message,
    sha: row.sha,
    files: row.files,
    checks: row.checks,
    usage: row.usage,
    costUsd: costUsd(row, row.usage),
    error: row.error,
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}

export const generatedBy = (row: { provider: string; model: string }) => `${row.provider}/${row.model}`

const ERRORS_KEPT = 20

/** Keeps the first errors of each check only, because a red check may have thousands. */
export const storedChecks = (report: CheckReport): StoredCheck[] =>
  report.checks.map(({ name, ok, ms, errors }) => ({
    name,
    ok,
    ms: Math.round(ms),
    errors: errors.slice(0, ERRORS_KEPT),
  }))
