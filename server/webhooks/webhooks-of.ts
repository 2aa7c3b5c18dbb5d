import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import type { Disposition, Creator } from '../membership/creator.ts'
import { settleRows } from '../membership/settle-rows.ts'
import { recordWebhookChange } from './webhooks.ts'

/** Returns the webhook endpoints that a member created, the newest first. */
export async function webhooksOf(db: Db, { orgId, userId }: Creator) {
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
export const settleWebhooksOf = (
  ctx: CallerContext<'clock'>,
  trx: Trx,
  maker: Creator,
  disposition: Disposition,
) =>
  settleRows<{ url: string }>(ctx, trx, maker, disposition, {
    remove: sql`delete from webhook_endpoints`,
    update: sql`update webhook_endpoints`,
    returning: sql`url`,
    actions: { remove: 'webhook.deleted', hand_over: 'webhook.handed_over' },
    record: (action, { url }) => recordWebhookChange(ctx, trx, action, url),
  })
