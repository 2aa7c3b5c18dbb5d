import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import type { Disposition, Creator } from '../membership/creator.ts'
import { settleRows } from '../membership/settle-rows.ts'
import { KEY_COLUMNS, presentKey, recordKeyChange } from './keys.ts'

/** Returns the API keys that a member created, the newest first, including expired ones. */
export async function keysOf(db: Db, { orgId, userId }: Creator) {
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

/** Revokes the API keys of a member, or transfers them, still valid, to the user who made the request. Returns their number. */
export const settleKeysOf = (
  ctx: CallerContext<'clock'>,
  trx: Trx,
  maker: Creator,
  disposition: Disposition,
) =>
  settleRows<{ name: string; prefix: string }>(ctx, trx, maker, disposition, {
    remove: sql`delete from api_keys`,
    update: sql`update api_keys`,
    returning: sql`name, prefix`,
    actions: { remove: 'api_key.revoked', hand_over: 'api_key.handed_over' },
    record: (action, key) => recordKeyChange(ctx, trx, action, key),
  })

/** Revokes the keys of a person in all organizations, not only in the active one. */
export async function revokeKeysCreatedBy(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('api_keys').where('created_by', '=', userId).execute()
}
