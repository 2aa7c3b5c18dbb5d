import { sql } from 'kysely'
import type { Db, Trx } from '../db/database.ts'

/**
 * Ends the trust in every device of these people, so that each person needs the second factor at the next sign-in.
 * When a password or a second factor changes, a trigger does the same (migration `people`).
 */
export async function endTrustedDevices(db: Db | Trx, userIds: readonly string[]): Promise<void> {
  await db
    .deleteFrom('verification')
    .where('value', 'in', userIds)
    // A literal instead of a parameter, because otherwise Postgres would not use the partial index.
    .where('identifier', 'like', sql.lit('trust-device-%'))
    .execute()
}
