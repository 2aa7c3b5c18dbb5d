import type { CallerContext } from '../endpoint.ts'
import { loadProject } from '../projects/projects.ts'
import { readVersions } from '../history/versions.ts'

/** Returns the versions of a project, newest first. */
export async function listVersions(ctx: CallerContext<'db'>, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const rows = await readVersions(ctx.db, projectId)
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
