import type { Db } from '../db/database.ts'

/**
 * How many projects one look spans: 25 hours of each fit into the 10,000 rows the provider answers at most. Those
 * deployed most recently come first.
 */
export const COVERED_MAX = 400

export interface LiveProject {
  id: string
  name: string
  slug: string
}

/** The live projects of an organization, most recently deployed first, as many as one look spans. */
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
