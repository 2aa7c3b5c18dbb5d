import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

export const API_KEYS_AS_K = 'api_keys k'

/** SQL of the person who created a key; null when the organization has no such key or the person was deleted. */
export const creatorOf = (orgId: string, keyId: string) =>
  sql<string | null>`(select k.created_by from api_keys k where k.org_id = ${orgId} and k.id = ${keyId})`

/** Stores when keys were last used. A later time that another process has stored is kept. */
export async function storeUses(db: Db, uses: ReadonlyMap<string, Date>): Promise<void> {
  await sql`
    update api_keys k set last_used_at = greatest(k.last_used_at, u.at)
    from unnest(${[...uses.keys()]}::text[], ${[...uses.values()]}::timestamptz[]) as u(id, at)
    where k.id = u.id`.execute(db)
}
