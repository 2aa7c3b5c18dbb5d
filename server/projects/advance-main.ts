import type { Trx } from '../db/database.ts'
import { MAIN_REF, moveRef, writeCommit } from '../git/store.ts'
import { addVersion } from '../history/versions.ts'
import { conflict } from '../http/errors.ts'

interface NewVersion {
  orgId: string
  projectId: string
  /** The commit of main that the caller read; null before the first version. */
  head: string | null
  /** The object id of the stored git tree, and the number of its files. */
  tree: string
  files: number
  author: string
  message: string
  runId: string | null
  ticketId: string | null
  /** The model that wrote the tree as `<provider>/<model>`; null when none did. */
  generatedBy: string | null
  at: Date
}

/**
 * Commits a stored git tree to main and stores the version's row. Throws 409 when main has moved meanwhile.
 * The first commit creates the project's repository and locks its slug.
 */
export async function advanceMain(trx: Trx, version: NewVersion): Promise<string> {
  const { projectId, head, tree, author, message, at } = version
  const parents = head === null ? [] : [head]
  const sha = await writeCommit(trx, projectId, { tree, parents, author, message, at })
  const moved = await moveRef(trx, projectId, MAIN_REF, { from: head, to: sha })
  if (!moved) throw conflict('Another change reached the project first.')
  await addVersion(trx, {
    project_id: projectId,
    sha,
    parent_sha: head,
    run_id: version.runId,
    ticket_id: version.ticketId,
    author,
    message,
    files: version.files,
    generated_by: version.generatedBy,
    created_at: at,
  })
  await trx
    .updateTable('projects')
    .set((eb) => ({
      head_sha: sha,
      slug_locked_at: eb.fn.coalesce('slug_locked_at', eb.val(at)),
      updated_at: at,
    }))
    .where('org_id', '=', version.orgId)
    .where('id', '=', projectId)
    .execute()
  return sha
}
