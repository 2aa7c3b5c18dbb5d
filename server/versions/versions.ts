import type { Context } from '../http/context.ts'
import { loadProject } from '../projects/projects.ts'

/** The versions of a project, newest first. */
export async function listVersions(ctx: Context, projectId: string) {
  const project = await loadProject(ctx, projectId)
  const rows = await ctx.db
    .selectFrom('versions')
    .select(['sha', 'message', 'ticket_id', 'run_id', 'author', 'created_at', 'files'])
    .where('project_id', '=', projectId)
    .orderBy('created_at', 'desc')
    .orderBy('sha')
    .execute()
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
