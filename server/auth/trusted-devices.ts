import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * Ends the trust in every device of these people: each asks for the second factor at its next sign-in. A change of the
 * password or of the second factor does this by itself, with triggers (migration `people`).
 */
export async function endTrustedDevices(db: Db | Trx, userIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('verification')
    .where('value', 'in', userIds)
    // A literal, as the partial index has it.
    .where('identifier', 'like', sql.lit('trust-device-%'))
    .execute()
}
