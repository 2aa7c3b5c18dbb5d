import type { Db } from '../db/database.ts'

/**
 * How many projects one read covers: 25 hours of each fit into the 10,000 rows the provider returns at most.
 */
export const COVERED_MAX = 400

export interface LiveProject {
  id: string
  name: string
  slug: string
}

/** Returns an organization's live projects, most recently deployed first, up to `COVERED_MAX`. */
export async function listLiveProjects(db: Db, orgId: string): Promise<LiveProject[]> {
  return await db
    .selectFrom('projects')
    .select(['id', 'name', 'slug'])
    .where('org_id', '=', orgId)
    .where('lifecycle', '=', 'live')
    .orderBy('live_at', 'desc')
    .orderBy('id', 'desc')
    .limit(COVERED_MAX)
    .execute()
}
