import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import type { Disposition, Maker } from '../membership/maker.ts'
import { recordWebhookChange } from './webhooks.ts'

/** Returns the webhook endpoints that a member created, the newest first. */
export async function webhooksOf(db: Db, { orgId, userId }: Maker) {
  return db
    .selectFrom('webhook_endpoints')
    .select(['id', 'url'])
    .where('org_id', '=', orgId)
    .where('created_by', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/**
 * Removes the webhook endpoints of a member, or transfers them to the caller with the same address and
 * secret. Returns their number.
 */
export async function settleWebhooksOf(
  ctx: Context,
  trx: Trx,
  { orgId, userId }: Maker,
  disposition: Disposition,
): Promise<number> {
  const isRemoved = disposition === 'remove'
  const { rows } = await sql<{ url: string }>`
    ${isRemoved ? sql`delete from webhook_endpoints` : sql`update webhook_endpoints set created_by = ${ctx.caller.userId}`}
    where org_id = ${orgId} and created_by = ${userId} returning url`.execute(trx)
  const action = isRemoved ? 'webhook.deleted' : 'webhook.handed_over'
  for (const { url } of rows) await recordWebhookChange(ctx, trx, action, url)
  return rows.length
}
