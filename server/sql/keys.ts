import { sql } from 'kysely'

/** SQL of the keys `k` with these hashes, with the columns that identify a caller. `hashes` is SQL of an array. */
export const keysByHash = (hashes: string): string =>
  `(select key_hash, id, org_id, created_by, scopes, expires_at from api_keys where key_hash = any(${hashes})) k`

/** SQL of the person who created a key; null when the organization has no such key or the person was deleted. */
export const creatorOf = (orgId: string, keyId: string) =>
  sql<string | null>`(select k.created_by from api_keys k where k.org_id = ${orgId} and k.id = ${keyId})`
