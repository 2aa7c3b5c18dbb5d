import { lockMembership } from '../statements/auth/lock-membership.ts'
import type { Trx } from '../db/database.ts'
import type { Context } from '../endpoint.ts'
import { ApiError } from '../http/errors.ts'

/**
 * Locks the caller's membership until the transaction ends. So a row that is created in the caller's name is
 * found when the membership ends, even at the same moment. Throws 403 for a person who has just been removed.
 */
export async function holdMembership(ctx: Context, trx: Trx): Promise<void> {
  const { organizationId, userId } = ctx.caller
  if (!(await lockMembership(trx, organizationId, userId)))
    throw new ApiError('forbidden', 'You are not a member of this organization.')
}
