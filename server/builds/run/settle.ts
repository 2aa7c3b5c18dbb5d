import type { Updateable } from 'kysely'
import { type BuildFrame, type Failure, type Question, isRetryable } from '../../agent/frames.ts'
import { changedPairs } from '../../agent/text/changed-pairs.ts'
import type { TextWorkers } from '../../agent/text/workers.ts'
import type { Workspace } from '../../agent/tools/workspace.ts'
import { type Trx, transact } from '../../db/database.ts'
import { json } from '../../db/json.ts'
import type { RunRow, RunsTable, StoredChange } from '../../db/tables/runs.ts'
import { type PreviewPorts, publishPreview } from '../../releases/preview.ts'
import { emit } from '../../events/emit.ts'
import { expireRef } from '../../git/collect.ts'
import type { PlatformPorts } from '../../platform.ts'
import { recordHistory } from '../../history/record-history.ts'
import { notifyQueue } from './notify-queue.ts'
import { commitTree } from './commit.ts'
import { appendRunEvents } from '../stream/events.ts'
import { deferUnreadSteering, requireSteeringRead } from './steering.ts'
import { returnUnreadErrors } from '../preview-errors.ts'
import { generatedBy } from '../run-record.ts'
import { lockLeasedRun } from './lease.ts'
import { draftRef } from './recorder.ts'
import { moveTicket } from '../../tickets/built-ticket.ts'

/**
 * How long a build waits until its preview is published: as long as one job may run, because a ship of the project may run before the job
 * that publishes the preview. After this time the build is stored without a published preview, and this is not corrected later.
 */
const PREVIEW_WAIT_MS = 300_000

/** Commits the files of a run to main. After this transaction only publishing is left, which may be repeated. */
export async function commitRun(
  platform: PlatformPorts<'textWorkers'>,
  run: RunRow,
  workspace: Workspace,
  { summary, mayContinue }: { summary: string; mayContinue: boolean },
): Promise<RunRow> {
  const files = json(await changedFiles(platform.textWorkers.of(run.org_id), workspace))
  return transact(platform.db, async (trx) => {
    await lockLeasedRun(trx, run)
    if (mayContinue) await requireSteeringRead(trx, run)
    const sha = await commitTree(trx, run, { files: workspace.complete, summary, at: platform.clock.now() })
    await expireRef(trx, run.project_id, draftRef(run.id))
    return trx
      .updateTable('runs')
      .set({ stage: 'publishing', sha, message: summary, files })
      .where('id', '=', run.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Publishes the commit as preview and settles the run. After a crash only this step is repeated. */
export async function publishRun(
  platform: PlatformPorts<PreviewPorts | 'metrics'>,
  run: RunRow,
  signal: AbortSignal,
): Promise<void> {
  const preview = await showPreview(platform, run, signal)
  // Without this check, a stopping process would store the preview as failed, although the next process repeats the publication.
  signal.throwIfAborted()
  const previewUrl = 'url' in preview ? preview.url : null
  const sha = run.sha ?? ''
  await storeSettlement(platform, run, {
    row: { status: 'succeeded', outcome: 'built', preview_url: previewUrl },
    frames: [
      { type: 'preview', ...preview },
      {
        type: 'done',
        status: 'built',
        run: run.id,
        sha,
        summary: run.message ?? '',
        changed: run.files,
        generatedBy: generatedBy(run),
        previewUrl,
      },
    ],
    also: async (trx, at) => {
      const ticket = { id: run.ticket_id, orgId: run.org_id, projectId: run.project_id }
      await moveTicket(trx, ticket, { to: 'in_review', at })
      await recordHistory(trx, { ...historyOf(run), type: 'built', sha, detail: run.message, at })
      const data = { ticketId: run.ticket_id, runId: run.id, sha, previewUrl }
      await emit(trx, {
        type: 'ticket.build.succeeded',
        orgId: run.org_id,
        projectId: run.project_id,
        data,
        at,
      })
    },
  })
}

/** Publishes the preview. A failure does not fail the build, because the commit is on main already. */
async function showPreview(
  platform: PlatformPorts<PreviewPorts>,
  run: RunRow,
  disconnected: AbortSignal,
): Promise<{ url: string } | { error: string }> {
  try {
    const key = { orgId: run.org_id, projectId: run.project_id }
    const by = { actor: generatedBy(run), isAutomatic: true, timeoutMs: PREVIEW_WAIT_MS, disconnected }
    return await publishPreview(platform, key, by)
  } catch (error) {
    platform.log.error({ err: error, run: run.id }, 'preview failed')
    return { error: 'The preview could not be published.' }
  }
}

export async function settleReplied(
  platform: PlatformPorts<'metrics'>,
  run: RunRow,
  { message, mayContinue }: { message: string; mayContinue: boolean },
): Promise<void> {
  await storeSettlement(platform, run, {
    mayContinue,
    row: { status: 'succeeded', outcome: 'replied', message },
    frames: [{ type: 'done', status: 'replied', run: run.id, message }],
  })
}

export async function settleAwaiting(
  platform: PlatformPorts<'metrics'>,
  run: RunRow,
  { questions, mayContinue }: { questions: Question[]; mayContinue: boolean },
): Promise<void> {
  await storeSettlement(platform, run, {
    mayContinue,
    row: { status: 'awaiting', outcome: 'awaiting', questions: json(questions) },
    frames: [{ type: 'done', status: 'awaiting', run: run.id, questions }],
  })
}

/** Settles a failed run. Main is unchanged; the run's tree is kept as a draft. */
export async function settleFailed(
  platform: PlatformPorts<'metrics'>,
  run: RunRow,
  failure: Failure,
): Promise<void> {
  await storeSettlement(platform, run, {
    row: { status: 'failed', error: json(failure) },
    frames: [{ type: 'error', ...failure, retryable: isRetryable(failure.kind) }],
    also: async (trx, at) => {
      await returnUnreadErrors(trx, run, at)
      const detail = `${failure.kind}: ${failure.message}`
      await recordHistory(trx, { ...historyOf(run), type: 'build_failed', detail, at })
      const data = { ticketId: run.ticket_id, runId: run.id, error: failure }
      await emit(trx, { type: 'ticket.build.failed', orgId: run.org_id, projectId: run.project_id, data, at })
    },
  })
}

interface RunSettlement {
  row: Pick<Updateable<RunsTable>, 'status' | 'outcome' | 'message' | 'questions' | 'error' | 'preview_url'>
  frames: BuildFrame[]
  /** Whether the model can be called again. If it can, an unread message of the user prevents the settlement (`UnreadSteeringError`). */
  mayContinue?: boolean
  also?: (trx: Trx, at: Date) => Promise<void>
}

/**
 * Stores the last frame, the final state and the event of a run in one transaction, so that a reader never sees only a part of them.
 * Increments the lease, so that nothing can be written after the last frame.
 */
async function storeSettlement(
  platform: PlatformPorts<'metrics'>,
  run: RunRow,
  settlement: RunSettlement,
): Promise<void> {
  const { row, frames, mayContinue, also } = settlement
  await transact(platform.db, async (trx) => {
    const at = platform.clock.now()
    await lockLeasedRun(trx, run)
    if (mayContinue === true) await requireSteeringRead(trx, run)
    await appendRunEvents(trx, run, [...(await deferUnreadSteering(trx, run)), ...frames], at)
    await trx
      .updateTable('runs')
      .set((eb) => ({
        ...row,
        lease: eb('lease', '+', 1),
        finished_at: row.status === 'awaiting' ? null : at,
      }))
      .where('id', '=', run.id)
      .execute()
    await also?.(trx, at)
    await notifyQueue(trx, run.org_id, run.project_id)
  })
  platform.metrics?.buildFinished(row.outcome ?? 'failed')
}

const historyOf = (run: RunRow) => ({
  orgId: run.org_id,
  projectId: run.project_id,
  actor: run.actor,
  ticketId: run.ticket_id,
  runId: run.id,
})

/**
 * Returns the source files that a run changed, by path, with the number of lines added and removed. Leaves
 * out the platform code and the README, which the commit adds.
 */
async function changedFiles(textWorkers: TextWorkers, { base, tree }: Workspace): Promise<StoredChange[]> {
  const changes = changedPairs(base, tree)
  const sums = await textWorkers.count(changes.map(({ before, after }) => [before ?? '', after ?? '']))
  return changes.map(({ path }, i) => ({ path, added: sums[i]?.added ?? 0, removed: sums[i]?.removed ?? 0 }))
}
