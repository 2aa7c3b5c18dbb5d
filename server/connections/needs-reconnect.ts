import type { ConnectionRow } from '../account-port.ts'
import { transact } from '../db/database.ts'
import { recordActivity } from '../activity/log.ts'
import type { Core } from '../platform.ts'

/** Marks a connection that a person has to connect again. Does nothing when its token was replaced since `sealed` was read. */
export async function markNeedsReconnect(
  platform: Core,
  connection: ConnectionRow,
  sealed: string,
): Promise<void> {
  const { db, clock } = platform
  await transact(db, async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('connections')
      .set({ status: 'needs_reconnect' })
      .where('org_id', '=', connection.org_id)
      .where('id', '=', connection.id)
      .where('token', '=', sealed)
      .where('status', '=', 'connected')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await recordActivity(trx, {
      orgId: connection.org_id,
      at: clock.now(),
      provider: connection.provider,
      actor: 'slipway',
      action: 'connection.expired',
      target: connection.account_name ?? connection.provider,
      status: 'failed',
      detail: 'The provider no longer accepts the stored credential.',
    })
  })
}
