import { type BuildFrame, type Failure, type Question, isRetryable } from '../agent/frames.ts'
import { changedPairs } from '../agent/text/changed-pairs.ts'
import type { TextWorkers } from '../agent/text/workers.ts'
import type { Workspace } from '../agent/workspace.ts'
import { type Trx, transact } from '../db/database.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import { publishPreview } from '../releases/preview.ts'
import { emit } from '../events/emit.ts'
import { deleteRef, readCommit, readTree } from '../git/store.ts'
import type { Platform } from '../platform.ts'
import { recordHistory } from '../versions/record-history.ts'
import { moveQueueOn } from './queue-news.ts'
import { commitTree } from './commit.ts'
import { appendRunEvents } from './run-events.ts'
import { leaveUnread, requireHeard } from './run-inputs.ts'
import { type ChangedFile, generatedBy } from './run-record.ts'
import { draftRef, holdLease } from './run-session.ts'
import { moveTicket } from './ticket-progress.ts'

/** A green run: the commit first, in one transaction; from here on only publishing is left. */
export async function commitRun(
  platform: Platform,
  run: RunsTable,
  workspace: Workspace,
  { summary, mayGoOn }: { summary: string; mayGoOn: boolean },
): Promise<RunsTable> {
  const files = JSON.stringify(await changedFiles(platform.textWorkers.of(run.org_id), workspace))
  return transact(platform.db, async (trx) => {
    await holdLease(trx, run)
    if (mayGoOn) await requireHeard(trx, run)
    const sha = await commitTree(trx, run, { files: workspace.complete, summary, at: platform.clock.now() })
    await deleteRef(trx, run.project_id, draftRef(run.id))
    return trx
      .updateTable('runs')
      .set({ stage: 'publishing', sha, message: summary, files })
      .where('id', '=', run.id)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
}

/** Puts the commit on the preview and closes the run. Repeatable: a crash before its end repeats only this. */
export async function publishRun(platform: Platform, run: RunsTable): Promise<void> {
  const preview = await showPreview(platform, run)
  const previewUrl = 'url' in preview ? preview.url : null
  const sha = run.sha ?? ''
  const changed = JSON.parse(run.files) as ChangedFile[]
  await settle(platform, run, {
    row: { status: 'succeeded', outcome: 'built' },
    frames: [
      { type: 'preview', ...preview },
      {
        type: 'done',
        status: 'built',
        run: run.id,
        sha,
        summary: run.message ?? '',
        changed,
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

/** The build stands whatever happens here: main has its commit. */
async function showPreview(platform: Platform, run: RunsTable): Promise<{ url: string } | { error: string }> {
  try {
    const { tree } = await readCommit(platform.db, run.project_id, run.sha ?? '')
    const files = await readTree(platform.db, run.project_id, tree)
    const version = { sha: run.sha ?? '', tree: files, generatedBy: generatedBy(run) }
    return await publishPreview(platform, { id: run.project_id, orgId: run.org_id }, version)
  } catch (error) {
    platform.log.error({ err: error, run: run.id }, 'preview failed')
    return { error: 'The preview could not be published.' }
  }
}

export async function settleReplied(
  platform: Platform,
  run: RunsTable,
  { message, mayGoOn }: { message: string; mayGoOn: boolean },
): Promise<void> {
  await settle(platform, run, {
    mayGoOn,
    row: { status: 'succeeded', outcome: 'replied', message },
    frames: [{ type: 'done', status: 'replied', run: run.id, message }],
  })
}

export async function settleAwaiting(
  platform: Platform,
  run: RunsTable,
  { questions, mayGoOn }: { questions: Question[]; mayGoOn: boolean },
): Promise<void> {
  await settle(platform, run, {
    mayGoOn,
    row: { status: 'awaiting', outcome: 'awaiting', questions: JSON.stringify(questions) },
    frames: [{ type: 'done', status: 'awaiting', run: run.id, questions }],
  })
}

/** A failed run leaves main as it was; its tree stays as a draft. */
export async function settleFailed(platform: Platform, run: RunsTable, failure: Failure): Promise<void> {
  await settle(platform, run, {
    row: { status: 'failed', error: JSON.stringify(failure) },
    frames: [{ type: 'error', ...failure, retryable: isRetryable(failure.kind) }],
    also: async (trx, at) => {
      const detail = `${failure.kind}: ${failure.message}`
      await recordHistory(trx, { ...historyOf(run), type: 'build_failed', detail, at })
      const data = { ticketId: run.ticket_id, runId: run.id, error: failure }
      await emit(trx, { type: 'ticket.build.failed', orgId: run.org_id, projectId: run.project_id, data, at })
    },
  })
}

interface Settlement {
  row: Partial<Pick<RunsTable, 'status' | 'outcome' | 'message' | 'questions' | 'error'>>
  frames: BuildFrame[]
  /** The model may still be asked, so a word that it has not read keeps the run from ending. */
  mayGoOn?: boolean
  also?: (trx: Trx, at: Date) => Promise<void>
}

/**
 * Last frame, last state and event of a run in one transaction: a reader never sees one without the others. The lease
 * is raised, so that nothing can be written behind the last frame.
 */
async function settle(platform: Platform, run: RunsTable, settlement: Settlement): Promise<void> {
  const { row, frames, mayGoOn, also } = settlement
  await transact(platform.db, async (trx) => {
    const at = platform.clock.now()
    await holdLease(trx, run)
    if (mayGoOn === true) await requireHeard(trx, run)
    await appendRunEvents(trx, run, [...(await leaveUnread(trx, run)), ...frames], at)
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
    await moveQueueOn(trx, run.org_id, run.project_id)
  })
}

const historyOf = (run: RunsTable) => ({
  orgId: run.org_id,
  projectId: run.project_id,
  actor: run.actor,
  ticketId: run.ticket_id,
  runId: run.id,
})

/** What a run changed in the agent's files, by path. */
async function changedFiles(textWorkers: TextWorkers, { base, tree }: Workspace): Promise<ChangedFile[]> {
  const changes = changedPairs(base, tree)
  const sums = await textWorkers.count(changes.map(({ before, after }) => [before ?? '', after ?? '']))
  return changes.map(({ path }, i) => ({ path, added: sums[i]?.added ?? 0, removed: sums[i]?.removed ?? 0 }))
}
