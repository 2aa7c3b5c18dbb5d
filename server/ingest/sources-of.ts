import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import type { Disposition, Creator } from '../membership/creator.ts'
import { settleRows } from '../membership/settle-rows.ts'
import { projectName, PROJECTS_AS_P } from '../sql/projects.ts'
import { recordSourceChange } from './sources.ts'

/** Returns the ingest sources that a member created, the newest first. */
export async function sourcesOf(db: Db, { orgId, userId }: Creator) {
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
export const settleSourcesOf = (
  ctx: CallerContext<'clock'>,
  trx: Trx,
  maker: Creator,
  disposition: Disposition,
) =>
  settleRows<{ id: string; projectId: string; name: string }>(ctx, trx, maker, disposition, {
    remove: sql`delete from ingest_sources`,
    update: sql`update ingest_sources`,
    returning: sql`id, project_id as "projectId", ${sql.raw(projectName('ingest_sources'))} as name`,
    actions: { remove: 'ingest_source.deleted', hand_over: 'ingest_source.handed_over' },
    record: (action, source) => recordSourceChange(ctx, trx, { action, ...source }),
  })
