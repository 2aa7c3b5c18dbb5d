import type { AppTree } from '../../agent/source/tree.ts'
import type { Trx } from '../../db/database.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import { MAIN_REF, readCommit, readRef, writeTree } from '../../git/store.ts'
import { conflict } from '../../http/errors.ts'
import { advanceMain } from '../../projects/advance-main.ts'
import { subjectOf } from '../../lib/subject.ts'
import { generatedBy } from '../run-record.ts'
import { lockLeasedRun } from './lease.ts'
import { readProject } from '../../projects/store.ts'

const COMMIT_AUTHOR = 'Slipway'

/**
 * Commits the files to main and returns the commit. Commits nothing when main already has this tree, so a repeated call after a crash
 * is harmless. Throws 409 when main has moved meanwhile.
 */
export async function commitTree(
  trx: Trx,
  run: RunRow,
  { files, summary, at }: { files: AppTree; summary: string; at: Date },
): Promise<string> {
  const own = await lockLeasedRun(trx, run)
  const complete = await withReadme(trx, run, files)
  const tree = await writeTree(trx, run.project_id, complete, at)
  const head = await readRef(trx, run.project_id, MAIN_REF)
  if (head !== null && (await readCommit(trx, run.project_id, head)).tree === tree) return head
  // Main must point to the commit on which the run began, or to a commit that the run itself has made by shipping.
  if (head !== run.base_sha && head !== own.sha)
    throw conflict('The project changed while the build was running.')
  const sha = await advanceMain(trx, {
    orgId: run.org_id,
    projectId: run.project_id,
    head,
    tree,
    files: complete.size,
    author: COMMIT_AUTHOR,
    message: commitMessage(run, summary),
    runId: run.id,
    ticketId: run.ticket_id,
    generatedBy: generatedBy(run),
    at,
  })
  await trx.updateTable('runs').set({ sha }).where('id', '=', run.id).execute()
  return sha
}

/** Adds the current README, which the plan agent writes, so that every commit contains it. */
async function withReadme(trx: Trx, run: RunRow, files: AppTree): Promise<AppTree> {
  const { readme } = await readProject(trx, { orgId: run.org_id, projectId: run.project_id })
  return readme === null ? files : new Map([...files, ['README.md', `${readme}\n`]])
}

function commitMessage(run: RunRow, summary: string): string {
  const subject = subjectOf(summary)
  // When the summary is longer than the subject, the body contains the whole summary.
  const body = summary.trim() === subject ? [] : [summary.trim()]
  const trailers = [
    `Slipway-Ticket: ${run.ticket_id}`,
    `Slipway-Run: ${run.id}`,
    `Slipway-Model: ${generatedBy(run)}`,
  ]
  return [subject || 'Build', ...body, trailers.join('\n')].join('\n\n')
}
