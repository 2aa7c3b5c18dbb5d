import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import type { Disposition, Maker } from '../membership/maker.ts'
import { joinProject, PROJECTS_AS_P } from '../sql/projects.ts'
import { recordSourceChange } from './sources.ts'

/** Returns the ingest sources that a member created, the newest first. */
export async function sourcesOf(db: Db, { orgId, userId }: Maker) {
  return db
    .selectFrom('ingest_sources as s')
    .innerJoin(PROJECTS_AS_P, 'p.id', 's.project_id')
    .select(['s.id', 's.project_id as projectId', 'p.name as projectName'])
    .where('s.org_id', '=', orgId)
    .where('s.created_by', '=', userId)
    .orderBy('s.created_at', 'desc')
    .orderBy('s.id', 'desc')
    .execute()
}

/**
 * Removes the ingest sources that a member created, or transfers them to the user who made the request; their
 * address and secret stay the same. Returns their number.
 */
export async function settleSourcesOf(
  ctx: Context,
  trx: Trx,
  { orgId, userId }: Maker,
  disposition: Disposition,
): Promise<number> {
  const isRemoved = disposition === 'remove'
  const { rows } = await sql<{ id: string; projectId: string; name: string }>`
    with settled as (
      ${isRemoved ? sql`delete from ingest_sources` : sql`update ingest_sources set created_by = ${ctx.caller.userId}`}
      where org_id = ${orgId} and created_by = ${userId} returning id, org_id, project_id)
    select s.id, p.id as "projectId", p.name from settled s ${sql.raw(joinProject('s'))}`.execute(trx)
  const action = isRemoved ? 'ingest_source.deleted' : 'ingest_source.handed_over'
  for (const row of rows) await recordSourceChange(ctx, trx, { action, ...row })
  return rows.length
}
