import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import type { Disposition, Maker } from '../membership/maker.ts'
import { KEY_COLUMNS, presentKey, recordKeyChange } from './keys.ts'

/** Returns the API keys that a member created, the newest first, including expired ones. */
export async function keysOf(db: Db, { orgId, userId }: Maker) {
  const rows = await db
    .selectFrom('api_keys as k')
    .select(KEY_COLUMNS)
    .where('k.org_id', '=', orgId)
    .where('k.created_by', '=', userId)
    .orderBy('k.created_at', 'desc')
    .orderBy('k.id', 'desc')
    .execute()
  return rows.map(presentKey)
}

/**
 * Revokes the API keys that a member created, or makes the user who sent the request their owner, so that they stay
 * valid. Returns their number.
 */
export async function settleKeysOf(
  ctx: Context,
  trx: Trx,
  { orgId, userId }: Maker,
  disposition: Disposition,
): Promise<number> {
  const isRemoved = disposition === 'remove'
  const { rows } = await sql<{ name: string; prefix: string }>`
    ${isRemoved ? sql`delete from api_keys` : sql`update api_keys set created_by = ${ctx.caller.userId}`}
    where org_id = ${orgId} and created_by = ${userId} returning name, prefix`.execute(trx)
  const action = isRemoved ? 'api_key.revoked' : 'api_key.handed_over'
  for (const row of rows) await recordKeyChange(ctx, trx, action, row)
  return rows.length
}

/** Revokes the keys of a person in all organizations, not only in the active one. */
export async function revokeKeysMadeBy(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('api_keys').where('created_by', '=', userId).execute()
}
