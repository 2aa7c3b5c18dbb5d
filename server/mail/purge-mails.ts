import type { Trx } from '../db/database.ts'
import { purge } from '../db/purge.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

const RETENTION_MS = 7 * DAY_MS

/** Deletes all mails after a week, because their recipients are personal data. */
export const purgeMails: ScheduledTask = {
  name: 'purge-mails',
  every: 'hour',
  async run({ db, clock }, signal) {
    const until = new Date(clock.now().getTime() - RETENTION_MS)
    await purge(db, { table: 'mails', time: 'created_at', until }, signal)
  },
}

/** Deletes all mails to an address, because the address must not stay in the database when the person is deleted. */
export async function deleteMailsTo(trx: Trx, recipient: string): Promise<void> {
  await trx
    .deleteFrom('mails')
    .where((eb) => eb.fn<string>('lower', ['recipient']), '=', recipient.toLowerCase())
    .execute()
}
