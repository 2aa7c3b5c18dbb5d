import type { CallerContext } from '../endpoint.ts'
import { loadProject } from '../projects/projects.ts'
import { readVersions } from '../history/versions.ts'

/** Limited, because a program can revert hundreds of times a minute, and each revert is a version. */
const LISTED_VERSIONS_MAX = 10_000

/** Returns the versions of a project, newest first, at most `LISTED_VERSIONS_MAX`. */
export async function listVersions(ctx: CallerContext<'db'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const rows = await readVersions(ctx.db, projectId, LISTED_VERSIONS_MAX)
  return rows.map((row) => ({
    sha: row.sha,
    message: row.message,
    ticketId: row.ticket_id,
    runId: row.run_id,
    author: row.author,
    createdAt: row.created_at.toISOString(),
    files: row.files,
    current: row.sha === project.head_sha,
  }))
}
