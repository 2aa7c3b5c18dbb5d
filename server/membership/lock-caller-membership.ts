import { lockMembership } from '../statements/auth/lock-membership.ts'
import type { Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { notMember } from '../http/errors.ts'

/**
 * Locks the membership of the caller until the transaction ends. A simultaneous removal of the member then waits, so it
 * also finds the rows that this transaction creates. Throws 403 for a person who has just been removed.
 */
export async function lockCallerMembership(ctx: CallerContext, trx: Trx): Promise<void> {
  const { organizationId, userId } = ctx.caller
  if (!(await lockMembership(trx, organizationId, userId))) throw notMember()
}
