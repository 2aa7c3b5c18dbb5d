import type { Trx } from '../../db/database.ts'

/** Locks a membership, so that it cannot end before the transaction ends. Returns false when there is no such membership. */
export async function lockMembership(trx: Trx, orgId: string, userId: string | null): Promise<boolean> {
  const row = await trx
    .selectFrom('member')
    .select('id')
    .where('organizationId', '=', orgId)
    .where('userId', '=', userId)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}
