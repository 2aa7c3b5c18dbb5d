import { type Db, transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { ApiError, notFound } from '../http/errors.ts'
import { settleSourcesOf, sourcesOf } from '../ingest/sources-of.ts'
import { keysOf, settleKeysOf } from '../keys/keys-of.ts'
import { settleWebhooksOf, webhooksOf } from '../webhooks/webhooks-of.ts'
import { lockCallerMembership } from '../membership/lock-caller-membership.ts'
import type { Disposition } from '../membership/creator.ts'
import { findMember } from '../auth/people.ts'
import type { CallerContext } from '../endpoint.ts'

/**
 * Returns the keys, webhook endpoints and ingest sources of a member, which outlive the membership. Throws
 * 404 for a member of another organization.
 */
export async function readBelongings(ctx: CallerContext<'db'>, memberId: string) {
  const { organizationId: orgId, role, userId: callerId } = ctx.caller
  const { userId } = await requireMember(ctx.db, orgId, memberId)
  if (role === 'member' && userId !== callerId)
    throw new ApiError('forbidden', 'Only owners and admins of the organization may see this.')
  const maker = { orgId, userId }
  const [apiKeys, webhooks, ingestSources] = await Promise.all([
    keysOf(ctx.db, maker),
    webhooksOf(ctx.db, maker),
    sourcesOf(ctx.db, maker),
  ])
  return { apiKeys, webhooks, ingestSources }
}

/**
 * Removes the keys, webhook endpoints and ingest sources of a member, or transfers them to the user who made the request,
 * in one transaction. Rows that the person creates afterwards are handled by a trigger when the membership ends. Returns the number of
 * each kind.
 */
export function settleBelongings(
  ctx: CallerContext<'db' | 'clock'>,
  memberId: string,
  choice: { apiKeys: Disposition; webhooks: Disposition; ingestSources: Disposition },
) {
  const { organizationId: orgId, role: callerRole } = ctx.caller
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, orgId)
    await lockCallerMembership(ctx, trx)
    const { userId, role } = await requireMember(trx, orgId, memberId)
    if (role.split(',').includes('owner') && callerRole !== 'owner')
      throw new ApiError('forbidden', 'Only owners of the organization may do this to an owner.')
    const maker = { orgId, userId }
    return {
      apiKeys: await settleKeysOf(ctx, trx, maker, choice.apiKeys),
      webhooks: await settleWebhooksOf(ctx, trx, maker, choice.webhooks),
      ingestSources: await settleSourcesOf(ctx, trx, maker, choice.ingestSources),
    }
  })
}

async function requireMember(db: Db | Trx, orgId: string, id: string) {
  const member = await findMember(db, orgId, { id })
  if (member === null) throw notFound('member')
  return member
}
