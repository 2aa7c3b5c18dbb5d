import type { Db } from '../../db/database.ts'

/** Signs a session out: its next request fails. */
export async function deleteSession(db: Db, id: string): Promise<void> {
  await db.deleteFrom('session').where('id', '=', id).execute()
}
