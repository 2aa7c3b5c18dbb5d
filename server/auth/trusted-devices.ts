import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * Ends the trust in every device of these people, so that each asks for the second factor at its next
 * sign-in. For a change of the password or the second factor a trigger does this (migration `people`).
 */
export async function endTrustedDevices(db: Db | Trx, userIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('verification')
    .where('value', 'in', userIds)
    // A literal, because the partial index uses one.
    .where('identifier', 'like', sql.lit('trust-device-%'))
    .execute()
}
