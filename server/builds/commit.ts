import type { AppTree } from '../agent/tree.ts'
import type { Trx } from '../db/database.ts'
import type { RunsTable } from '../db/tables/runs.ts'
import { moveRef, readCommit, readRef, writeCommit, writeTree } from '../git/store.ts'
import { conflict } from '../http/errors.ts'
import { generatedBy } from './run-record.ts'
import { holdLease } from './run-session.ts'

const MAIN = 'refs/heads/main'
const AUTHOR = 'Slipway'
const SUBJECT_CHARS_MAX = 72

/**
 * Puts a green tree on main as one commit with its version row. The first one creates the project's repository and
 * locks its address. A tree that is on main already is not committed twice.
 */
export async function commitTree(
  trx: Trx,
  run: RunsTable,
  { files, summary, at }: { files: AppTree; summary: string; at: Date },
): Promise<string> {
  const own = await holdLease(trx, run)
  const tree = await writeTree(trx, run.project_id, files, at)
  const head = await readRef(trx, run.project_id, MAIN)
  if (head !== null && (await readCommit(trx, run.project_id, head)).tree === tree) return head
  // Main must stand where the run began, or where the run itself put it by shipping.
  if (head !== run.base_sha && head !== own.sha)
    throw conflict('The project changed while the build was running.')
  const message = commitMessage(run, summary)
  const parents = head === null ? [] : [head]
  const sha = await writeCommit(trx, run.project_id, { tree, parents, author: AUTHOR, message, at })
  const moved = await moveRef(trx, run.project_id, MAIN, { from: head, to: sha })
  if (!moved) throw conflict('Another change reached the project first.')
  await trx
    .insertInto('versions')
    .values({
      project_id: run.project_id,
      sha,
      parent_sha: head,
      run_id: run.id,
      ticket_id: run.ticket_id,
      author: AUTHOR,
      message,
      files: files.size,
      generated_by: generatedBy(run),
      created_at: at,
    })
    .execute()
  await trx.updateTable('runs').set({ sha }).where('id', '=', run.id).execute()
  await trx
    .updateTable('projects')
    .set((eb) => ({
      head_sha: sha,
      built_at: at,
      slug_locked_at: eb.fn.coalesce('slug_locked_at', eb.val(at)),
      updated_at: at,
    }))
    .where('org_id', '=', run.org_id)
    .where('id', '=', run.project_id)
    .execute()
  return sha
}

function commitMessage(run: RunsTable, summary: string): string {
  const [first = ''] = summary.trim().split('\n')
  const subject =
    first.length > SUBJECT_CHARS_MAX ? `${first.slice(0, SUBJECT_CHARS_MAX - 1).trimEnd()}…` : first
  const body = summary.trim() === first ? [] : [summary.trim()]
  const trailers = [
    `Slipway-Ticket: ${run.ticket_id}`,
    `Slipway-Run: ${run.id}`,
    `Slipway-Model: ${generatedBy(run)}`,
  ]
  return [subject || 'Build', ...body, trailers.join('\n')].join('\n\n')
}
