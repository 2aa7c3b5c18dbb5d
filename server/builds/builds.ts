import { chooseModel } from '../connections/model-access.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import type { Plan } from '../http/caller.ts'
import { ApiError, conflict, invalid } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Context } from '../platform.ts'
import { loadProject } from '../projects/projects.ts'
import { answerStep, completeAnswers } from './answers.ts'
import { buildJob } from './build-job.ts'
import { freshRun, openEvents } from './new-run.ts'
import { type Answer, inputText, readInput } from './run-input.ts'
import { presentRun } from './run-record.ts'
import { loadTicket } from './runs.ts'
import { moveTicket } from './ticket-progress.ts'
import { copyTranscript, readTranscript, updateStep } from './transcript-store.ts'

/** Builds an organization may start per hour (spec, Limits). */
const BUILDS_PER_HOUR: Record<Plan, number> = { free: 100, starter: 300, pro: 1000, enterprise: Infinity }
const HOUR_MS = 3_600_000

export interface StartBuild {
  projectId: string
  ticketId: string
  trigger: RunsTable['trigger']
  answers?: Answer[] | undefined
}

/**
 * Starts a build: the run, its job, its first frame and the ticket's move are one transaction. An open question of
 * the ticket's last run is answered by it, with the defaults where nothing was said.
 */
export async function startBuild(ctx: Context, input: StartBuild): Promise<RunsTable> {
  const orgId = ctx.caller.organizationId
  const project = await loadProject(ctx, input.projectId)
  const ticket = await loadTicket(ctx, input.projectId, input.ticketId)
  if (ctx.caller.suspendedAt !== null)
    throw new ApiError('forbidden', 'The organization is suspended and cannot build.')
  if (project.lifecycle === 'archived')
    throw conflict('The project is archived. Unarchive it before building.')
  if (ticket.type === 'epic') throw conflict('An epic is not built; build the tickets in it.')
  const chosen = await chooseModel(ctx.db, project)
  return transact(ctx.db, async (trx) => {
    await lockProject(trx, project.id)
    const at = ctx.clock.now()
    await requireIdle(trx, project.id)
    await requireAllowance(trx, orgId, ctx.caller.plan, at)
    const asked = await openQuestions(trx, ticket.id)
    const answers = answersFor(asked, input.answers)
    const run = await trx
      .insertInto('runs')
      .values({
        ...freshRun(),
        id: newId('run'),
        org_id: orgId,
        project_id: project.id,
        ticket_id: ticket.id,
        resumed_from: asked?.id ?? null,
        trigger: input.trigger,
        scopes: [...ctx.caller.scopes],
        actor: ctx.caller.actorId,
        connection_id: chosen.connection.id,
        provider: chosen.connection.provider,
        model: chosen.modelId,
        limits: JSON.stringify(chosen.limits),
        base_sha: await readHead(trx, orgId, project.id),
        input: inputText({ prepared: null }),
        created_at: at,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    if (asked !== null) await continueAsked(trx, asked, run, answers, at)
    await moveTicket(trx, { id: ticket.id, orgId, projectId: project.id }, { to: 'in_progress', at })
    await openEvents(trx, run, at)
    await ctx.jobs.send(trx, buildJob, { runId: run.id, projectId: project.id })
    return run
  })
}

/** Where main stands now that no build can move it: what was read before the lock may be a version old. */
async function readHead(trx: Trx, orgId: string, projectId: string): Promise<string | null> {
  const row = await trx
    .selectFrom('projects')
    .select('head_sha')
    .where('org_id', '=', orgId)
    .where('id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.head_sha
}

async function requireIdle(trx: Trx, projectId: string): Promise<void> {
  const active = await trx
    .selectFrom('runs')
    .select('id')
    .where('project_id', '=', projectId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  if (active !== undefined) throw conflict('A build is already running in this project.')
}

async function requireAllowance(trx: Trx, orgId: string, plan: Plan, at: Date): Promise<void> {
  const limit = BUILDS_PER_HOUR[plan]
  if (limit === Infinity) return
  const since = new Date(at.getTime() - HOUR_MS)
  const { count, oldest } = await trx
    .selectFrom('runs')
    .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldest')])
    .where('org_id', '=', orgId)
    .where('attempt', '=', 1)
    .where('created_at', '>', since)
    .executeTakeFirstOrThrow()
  if (count < limit) return
  const retryAfterSeconds = Math.max(1, Math.ceil((Number(oldest ?? at) + HOUR_MS - at.getTime()) / 1000))
  const minutes = Math.ceil(retryAfterSeconds / 60)
  throw new ApiError(
    'rate_limited',
    `The plan allows ${limit} builds an hour. Try again in ${minutes} minutes.`,
    {
      retryAfterSeconds,
    },
  )
}

/** The ticket's last run, when it waits for an answer. */
async function openQuestions(trx: Trx, ticketId: string): Promise<RunsTable | null> {
  const last = await trx
    .selectFrom('runs')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.status === 'awaiting' ? last : null
}

function answersFor(asked: RunsTable | null, given: Answer[] | undefined): Answer[] {
  if (asked !== null) return completeAnswers(presentRun(asked).questions ?? [], given ?? [])
  if (given !== undefined && given.length > 0) throw invalid('answers', 'no question of this ticket is open')
  return []
}

/** Closes the run that asked and hands its transcript on, with the answers as the result of its question. */
async function continueAsked(
  trx: Trx,
  asked: RunsTable,
  run: RunsTable,
  answers: Answer[],
  at: Date,
): Promise<void> {
  await trx
    .updateTable('runs')
    .set({ status: 'succeeded', finished_at: at })
    .where('id', '=', asked.id)
    .where('org_id', '=', asked.org_id)
    .execute()
  await copyTranscript(trx, asked.id, run.id)
  const { steps, tree } = await readTranscript(trx, run.id)
  const last = steps.at(-1)
  if (last !== undefined && tree !== null) await updateStep(trx, run.id, answerStep(last, answers), tree)
  // Nothing was written yet, so when main has moved on meanwhile a fresh snapshot is all it takes.
  if (asked.base_sha !== run.base_sha) return
  const { prepared } = readInput(asked.input)
  await trx
    .updateTable('runs')
    .set({ input: inputText({ prepared }) })
    .where('id', '=', run.id)
    .execute()
}
