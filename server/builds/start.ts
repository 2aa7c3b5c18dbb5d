import { requireNoPause } from '../admin/build-pause.ts'
import { chooseModel } from '../connections/models/access.ts'
import { requireTokens } from '../connections/token-limits.ts'
import { requireReadableAttachments } from '../attachments/model-files.ts'
import { transact } from '../db/database.ts'
import { lockProject } from '../db/locks.ts'
import type { RunRow } from '../db/tables/runs.ts'
import { ApiError, conflict, invalid } from '../http/errors.ts'
import { requireActive, requireStillActive } from '../projects/lifecycle.ts'
import { loadProject } from '../projects/projects.ts'
import { lockAllowance, requireAllowance } from './run/allowance.ts'
import { type QuestionAnswer, openRun, requireIdle } from './run/open-run.ts'
import { loadTicket } from '../tickets/load-ticket.ts'
import { activeRun, failureOf, loadRun } from './runs.ts'
import * as z from 'zod'
import { Question } from '../agent/frames.ts'
import { AttachmentKeys } from '../attachments/load.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import type { SseBytes, SseMessage } from '../http/endpoint.ts'
import { readFiles } from '../source/source.ts'
import { SEQ_MAX } from './stream/events.ts'
import { generatedBy, presentRun } from './run-record.ts'
import { streamRun } from './stream/follow.ts'

export interface StartBuild {
  projectId: string
  ticketId: string
  trigger: RunRow['trigger']
  answers?: QuestionAnswer[] | undefined
  attachments?: string[] | undefined
}

/** Returns a project that can be built. Throws 404 when it is unknown; also throws when it is archived or its organization is suspended. */
export async function loadBuildable(ctx: CallerContext<'db'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  if (ctx.caller.suspendedAt !== null)
    throw new ApiError('forbidden', 'The organization is suspended and cannot build.')
  requireActive(project, 'building')
  return project
}

/**
 * Starts a build for the caller. Throws 403 when a token limit is used up, 409 while another build of the project runs, 503 while
 * builds are paused.
 */
export async function startBuild(ctx: Context<'jobs'>, input: StartBuild): Promise<RunRow> {
  const { organizationId: orgId, plan } = ctx.caller
  const { projectId } = input
  const project = await loadBuildable(ctx, projectId)
  const ticket = await loadTicket(ctx, projectId, input.ticketId)
  if (ticket.type === 'epic') throw conflict('An epic is not built; build the tickets in it.')
  const chosen = await chooseModel(ctx.db, project)
  const keys = [...ticket.attachments, ...(input.attachments ?? [])]
  const files = await requireReadableAttachments(ctx.db, project, chosen, keys)
  return transact(ctx.db, async (trx) => {
    await requireNoPause(trx)
    await lockAllowance(trx, orgId, plan)
    await lockProject(trx, projectId)
    await requireStillActive(trx, { orgId, projectId }, 'building')
    const at = ctx.clock.now()
    await requireIdle(trx, projectId)
    await requireAllowance(trx, orgId, plan, at)
    await requireTokens(trx, { orgId, ticketId: ticket.id }, at)
    return openRun(trx, ctx.jobs, {
      orgId,
      projectId,
      ticketId: ticket.id,
      trigger: input.trigger,
      scopes: [...ctx.caller.scopes],
      actor: ctx.caller.actorId,
      chosen,
      answers: input.answers,
      files,
      at,
    })
  })
}

const Answers = z
  .array(
    z.object({
      id: z.string().max(40),
      value: z.union([z.string().max(2_000), z.array(z.string().max(2_000)).max(5)]),
    }),
  )
  .max(3)
  .refine(
    (all) => new Set(all.map(({ id }) => id)).size === all.length,
    'must not have two answers with one id',
  )

export const BuildBody = z.object({ answers: Answers.optional(), attachments: AttachmentKeys.optional() })
export const BuildStreamBody = z.object({
  answers: Answers.optional(),
  attachments: AttachmentKeys.optional(),
  /** A client that reconnects names its run and the number of the last frame that it received. */
  run: z.string().optional(),
  after: z.int().min(0).max(SEQ_MAX).optional(),
})

/**
 * The result for a caller who waited for the build. Builds that asked questions or only replied have other fields than
 * successful builds.
 */
export const BuildResult = z
  .discriminatedUnion('status', [
    z.object({
      status: z.literal('built'),
      runId: z.string(),
      sha: z.string(),
      summary: z.string(),
      files: z.record(z.string(), z.string()),
      generatedBy: z.string(),
      previewUrl: z.string().nullable(),
    }),
    z.object({ status: z.literal('awaiting'), runId: z.string(), questions: z.array(Question) }),
    z.object({ status: z.literal('replied'), runId: z.string(), message: z.string() }),
  ])
  .meta({ id: 'BuildResult' })
type BuildResult = z.output<typeof BuildResult>

type TicketIds = { projectId: string; ticketId: string }

/** Starts a build and waits until it settles, across restarts. A caller who disconnects does not cancel it. */
export async function buildAndWait(
  ctx: Context<'jobs' | 'listener'>,
  ids: TicketIds,
  body: z.output<typeof BuildBody>,
): Promise<BuildResult> {
  const run = await startBuild(ctx, { ...ids, ...body, trigger: 'api' })
  const stream = streamRun(ctx, run, 0, ctx.signal)
  for (;;) {
    const next = await stream.next()
    if (next.done === true) return resultOf(ctx, ids.projectId, next.value)
  }
}

async function resultOf(ctx: CallerContext<'db'>, projectId: string, runId: string): Promise<BuildResult> {
  const row = await loadRun(ctx, projectId, runId)
  const run = presentRun(row)
  // The stream of a running build ends only when the client has disconnected.
  if (run.status === 'queued' || run.status === 'running')
    throw conflict('The build is not finished yet. Read its run for the result.')
  if (run.status === 'cancelled') throw conflict('The build was cancelled.')
  if (run.error !== null) throw failureOf(run.error)
  if (run.outcome === 'awaiting') return { status: 'awaiting', runId, questions: run.questions ?? [] }
  if (run.outcome === 'replied') return { status: 'replied', runId, message: run.message ?? '' }
  const sha = run.sha ?? ''
  return {
    status: 'built',
    runId,
    sha,
    summary: run.message ?? '',
    // The files of this commit and not of main, which may have another version by now.
    files: await readFiles(ctx.db, projectId, sha),
    generatedBy: generatedBy(row),
    previewUrl: row.preview_url,
  }
}

/** Opens the stream of a new build, of the running one, or of the run that the client names to reconnect to. */
export async function openBuildStream(
  ctx: Context<'jobs' | 'listener'>,
  ids: TicketIds,
  body: z.output<typeof BuildStreamBody>,
  lastEventId: string | null,
): Promise<AsyncIterable<SseMessage | SseBytes>> {
  const reconnect = streamPosition(body, lastEventId)
  // A client that sends `after` without a run wants to reconnect, so do not start a new build for this client.
  if (reconnect === null && body.after !== undefined) throw invalid('run', 'is required with after')
  if (reconnect !== null) {
    const run = await loadRun(ctx, ids.projectId, reconnect.run)
    if (run.ticket_id !== ids.ticketId) throw invalid('run', 'is not a run of this ticket')
    return streamRun(ctx, run, reconnect.after, ctx.signal)
  }
  const isOrder = body.answers !== undefined || body.attachments !== undefined
  const running = !isOrder ? await activeRun(ctx, ids.projectId, ids.ticketId) : null
  return streamRun(ctx, running ?? (await startOrFollowBuild(ctx, ids, body)), 0, ctx.signal)
}

/** Starts a build. When two callers start the same ticket at once, the second caller follows the build of the first. */
async function startOrFollowBuild(ctx: Context<'jobs'>, ids: TicketIds, order: z.output<typeof BuildBody>) {
  const { answers, attachments } = order
  try {
    return await startBuild(ctx, { ...ids, trigger: 'stream', answers, attachments })
  } catch (error) {
    const isConflict =
      error instanceof ApiError &&
      error.code === 'conflict' &&
      answers === undefined &&
      attachments === undefined
    const running = isConflict ? await activeRun(ctx, ids.projectId, ids.ticketId) : null
    if (running === null) throw error
    return running
  }
}

function streamPosition(
  body: z.output<typeof BuildStreamBody>,
  lastEventId: string | null,
): { run: string; after: number } | null {
  if (body.run !== undefined) return { run: body.run, after: body.after ?? 0 }
  const match = /^(run_[0-9a-z]{26}):(\d{1,9})$/.exec(lastEventId ?? '')
  return match?.[1] === undefined ? null : { run: match[1], after: Number(match[2]) }
}
