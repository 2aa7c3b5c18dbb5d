import * as z from 'zod'
import { loadProject } from '../projects/projects.ts'
import type { HistoryType } from '../db/tables/versions.ts'
import type { CallerContext } from '../endpoint.ts'
import { readHistory } from '../history/record-history.ts'

const HISTORY_TYPES = [
  'built',
  'build_failed',
  'reverted',
  'shipped',
  'rolled_back',
  'renamed',
  'archived',
  'unarchived',
  'backed_up',
] as const satisfies readonly HistoryType[]

export const HistoryEvent = z
  .object({
    id: z.string(),
    type: z.enum(HISTORY_TYPES),
    at: z.iso.datetime(),
    actor: z
      .string()
      .nullable()
      .describe('The id of the user who did it; null for an API key and for the service itself.'),
    ticketId: z.string().nullable(),
    runId: z.string().nullable(),
    sha: z.string().nullable().describe('The version it is about.'),
    detail: z.string().nullable().describe('A summary, an address, a reason or a name, by type.'),
  })
  .meta({ id: 'HistoryEvent' })

/** Returns the history of a project, newest first. */
export async function listHistory(
  ctx: CallerContext<'db'>,
  projectId: string,
): Promise<z.output<typeof HistoryEvent>[]> {
  await loadProject(ctx, projectId)
  const rows = await readHistory(ctx.db, ctx.caller.organizationId, projectId)
  return rows.map((row) => ({
    id: row.id,
    type: row.type,
    at: row.created_at.toISOString(),
    actor: row.actor,
    ticketId: row.ticket_id,
    runId: row.run_id,
    sha: row.sha,
    detail: row.detail,
  }))
}
