import { isDeepStrictEqual } from 'node:util'
import { type FileRef, addFiles } from '../../agent/loop/files.ts'
import type { Question } from '../../agent/frames.ts'
import type { ChosenModel } from '../../connections/models/access.ts'
import type { Db, Trx } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { conflict, invalid } from '../../http/errors.ts'
import type { JobQueue } from '../../platform.ts'
import { newId } from '../../lib/ids.ts'
import { countStart } from './allowance.ts'
import { buildJob } from './job.ts'
import { newRunColumns, openEvents } from './new-run.ts'
import { type PreviewError, describePreviewErrors, consumePreviewErrors } from '../preview-errors.ts'
import { moveTicket, recordQueueRefusal } from '../../tickets/built-ticket.ts'
import { copyTranscript, readTranscript, updateStep } from './transcript.ts'
import type { ModelStep } from '../../agent/loop/transcript.ts'
import { readProject } from '../../projects/store.ts'

export interface QuestionAnswer {
  id: string
  value: string | string[]
}

interface RunRequest {
  orgId: string
  projectId: string
  ticketId: string
  trigger: RunRow['trigger']
  scopes: readonly string[]
  actor: string | null
  chosen: ChosenModel
  answers?: QuestionAnswer[] | undefined
  files?: FileRef[]
  at: Date
}

/** Throws 409 while a build of the project is queued or running. The caller holds the project's lock. */
export async function requireIdle(trx: Trx, projectId: string): Promise<void> {
  if (await isBuilding(trx, projectId)) throw conflict('A build is already running in this project.')
}

export const isBuilding = async (db: Db | Trx, projectId: string): Promise<boolean> =>
  (await ticketInBuild(db, projectId)) !== null

/** Returns the ticket of the project's only queued or running run; null when there is none. */
export async function ticketInBuild(db: Db | Trx, projectId: string): Promise<string | null> {
  const active = await db
    .selectFrom('runs')
    .select('ticket_id')
    .where('project_id', '=', projectId)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
  return active?.ticket_id ?? null
}

/**
 * Opens a run: stores its row, job, first frame and the ticket's new status in the caller's transaction, which holds the project's lock
 * and knows that nothing is being built. Throws 409 when the ticket's last run asked questions and `answers` is missing. A question
 * without an answer gets its default. Removes the ticket from the queue.
 */
export async function openRun(trx: Trx, jobs: JobQueue, order: RunRequest): Promise<RunRow> {
  const { orgId, projectId, ticketId, chosen, at } = order
  const asked =
    (await findUnansweredRun(trx, ticketId)) ??
    (order.answers === undefined ? null : await findRunOfUnreadAnswers(trx, ticketId))
  const answers = answersFor(asked, order.answers)
  await countStart(trx, orgId, at)
  const previewErrors = await consumePreviewErrors(trx, ticketId)
  await trx
    .deleteFrom('build_queue')
    .where('org_id', '=', orgId)
    .where('project_id', '=', projectId)
    .where('ticket_id', '=', ticketId)
    .execute()
  const run = await trx
    .insertInto('runs')
    .values({
      ...newRunColumns(),
      id: newId('run'),
      org_id: orgId,
      project_id: projectId,
      ticket_id: ticketId,
      resumed_from: asked?.id ?? null,
      trigger: order.trigger,
      scopes: [...order.scopes],
      actor: order.actor,
      connection_id: chosen.connection.id,
      provider: chosen.connection.provider,
      model: chosen.modelId,
      limits: json(chosen.limits),
      base_sha: await readHead(trx, orgId, projectId),
      input: json({ prepared: null, previewErrors, ...(order.files && { files: order.files }) }),
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  if (asked !== null)
    await continueAfterAnswers(trx, { asked, run, answers, previewErrors, files: order.files ?? [], at })
  await moveTicket(trx, { id: ticketId, orgId, projectId }, { to: 'in_progress', at })
  await recordQueueRefusal(trx, { org_id: orgId, ticket_id: ticketId }, null)
  await openEvents(trx, run, at)
  await jobs.send(trx, buildJob, { runId: run.id, projectId })
  return run
}

/** Reads the head of main under the lock, because a head read before the lock may be stale. */
async function readHead(trx: Trx, orgId: string, projectId: string): Promise<string | null> {
  return (await readProject(trx, { orgId, projectId })).head_sha
}

/** Returns the ticket's last run when it waits for answers, else null. */
export async function findUnansweredRun(trx: Trx, ticketId: string): Promise<RunRow | null> {
  const last = await lastRun(trx, ticketId)
  return last?.status === 'awaiting' ? last : null
}

/**
 * Returns the run that asked the questions whose answers no model has read, because each run that was started with answers ended before
 * its model responded. So a client can send the answers again. Returns null when a model has read them or nothing was asked.
 */
async function findRunOfUnreadAnswers(trx: Trx, ticketId: string): Promise<RunRow | null> {
  let run = await lastRun(trx, ticketId)
  while (run !== null && run.resumed_from !== null && hasEndedUnread(run)) {
    run = await readEarlierRun(trx, run.org_id, run.resumed_from)
    if (run?.outcome === 'awaiting') return run
  }
  return null
}

const hasEndedUnread = ({ status, usage }: RunRow): boolean =>
  (status === 'failed' || status === 'cancelled') && usage.input === 0

async function lastRun(trx: Trx, ticketId: string): Promise<RunRow | null> {
  const row = await trx
    .selectFrom('runs')
    .selectAll()
    .where('ticket_id', '=', ticketId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? null
}

async function readEarlierRun(trx: Trx, orgId: string, id: string): Promise<RunRow | null> {
  const row = await trx
    .selectFrom('runs')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row ?? null
}

function answersFor(asked: RunRow | null, given: QuestionAnswer[] | undefined): CompleteAnswer[] {
  if (asked !== null) {
    const questions = asked.questions ?? []
    if (given === undefined) throw conflict(unansweredText(questions))
    return completeAnswers(questions, given)
  }
  if (given !== undefined && given.length > 0) throw invalid('answers', 'this ticket has no open question')
  return []
}

function unansweredText(questions: Question[]): string {
  const asked = questions.map(({ id, question }) => `${id}: ${question}`).join(' ')
  return `The last build of this ticket waits for answers (${asked}). Send answers; an empty list takes the defaults.`
}

/**
 * Closes the run that asked questions and copies its transcript to the new run. The answers become the result of
 * the tool call with the questions.
 */
async function continueAfterAnswers(
  trx: Trx,
  continuation: {
    asked: RunRow
    run: RunRow
    answers: CompleteAnswer[]
    previewErrors: PreviewError[]
    files: FileRef[]
    at: Date
  },
): Promise<void> {
  const { asked, run, at } = continuation
  await trx
    .updateTable('runs')
    .set({ status: 'succeeded', finished_at: at })
    .where('id', '=', asked.id)
    .where('org_id', '=', asked.org_id)
    .where('status', '=', 'awaiting')
    .execute()
  // The run that asked has written no files. So a fresh snapshot is enough when main has moved meanwhile.
  const isSameBase = asked.base_sha === run.base_sha
  await copyTranscript(trx, asked.id, run.id)
  const { steps, tree } = await readTranscript(trx, run.id)
  const last = steps.at(-1)
  if (last !== undefined && tree !== null) {
    // The new run reuses the first messages of the run that asked. These messages do not contain the errors that the
    // preview has reported since, so the step with the answers adds the errors.
    const news = isSameBase ? continuation.previewErrors : []
    await updateStep(trx, run.id, answerStep(last, continuation.answers, news), tree)
  }
  const { prepared: kept, previewErrors: known, files = [] } = asked.input
  const news = continuation.files.filter(({ key }) => !files.some((file) => file.key === key))
  const opening = kept?.opening.map((message, i, all) =>
    i === all.length - 1 ? addFiles(message, news) : message,
  )
  const isKept = isSameBase && kept !== null && opening !== undefined
  // An earlier run with these answers that ended before its model responded has returned the errors of the run that asked to the ticket.
  const missing = known.filter(
    (error) => !continuation.previewErrors.some((stored) => isDeepStrictEqual(stored, error)),
  )
  await trx
    .updateTable('runs')
    .set({
      input: json({
        prepared: isKept ? { ...kept, opening } : null,
        // When main has moved, the first messages are written again, and then need the preview errors of the run that asked, too.
        previewErrors: isSameBase ? continuation.previewErrors : [...missing, ...continuation.previewErrors],
        files: [...files, ...news],
      }),
    })
    .where('id', '=', run.id)
    .execute()
}

/** `isDefault`: the user gave no answer. The model is told about the default. */
export interface CompleteAnswer extends QuestionAnswer {
  isDefault: boolean
}

/**
 * Throws a 400 for an answer to an unknown question, and for several values where one is allowed. Fills in the default
 * of each missing answer.
 */
export function completeAnswers(questions: Question[], given: QuestionAnswer[]): CompleteAnswer[] {
  const known = new Set(questions.map((question) => question.id))
  const unknown = given.find((answer) => !known.has(answer.id))
  if (unknown !== undefined) throw invalid('answers', `there is no open question "${unknown.id}"`)
  return questions.map((question) => {
    const answer = given.find((item) => item.id === question.id)
    if (Array.isArray(answer?.value) && question.multiple !== true) {
      throw invalid('answers', `"${question.id}" takes one value`)
    }
    return answer === undefined
      ? { id: question.id, value: question.default, isDefault: true }
      : { ...answer, isDefault: false }
  })
}

/**
 * Returns the step with the answers as the result of the tool call that asked the questions. Tool calls of the
 * step without a result did not run, and get a result that says so.
 */
export function answerStep(
  step: ModelStep,
  answers: CompleteAnswer[],
  previewErrors: PreviewError[],
): ModelStep {
  const lines = answers.map(
    ({ id, value, isDefault }) =>
      `${id}: ${Array.isArray(value) ? value.join(', ') : value}${isDefault ? ' (not answered, default taken)' : ''}`,
  )
  const hasAnswered = answers.some(({ isDefault }) => !isDefault)
  const news = previewErrors.length === 0 ? [] : ['', describePreviewErrors(previewErrors)]
  const text = [hasAnswered ? 'The user answered:' : 'The user gave no answers:', ...lines, ...news].join(
    '\n',
  )
  return {
    ...step,
    results: step.calls.map((call) => {
      const result = step.results.find((item) => item.id === call.id)
      if (result?.end?.kind === 'ask') return { ...result, text, end: null }
      return (
        result ?? {
          id: call.id,
          name: call.name,
          ok: false,
          text: 'interrupted: the run ended with your question before this call; make it again if you still need it',
          code: 'interrupted',
          signature: null,
          end: null,
        }
      )
    }),
  }
}
