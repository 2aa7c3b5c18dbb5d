import * as z from 'zod'
import { endAllSessions } from '../auth/people.ts'
import { type Db, transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { CallerContext, Context } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import type { Policy } from '../http/caller.ts'
import { ApiError, invalid } from '../http/errors.ts'
import { policyOf } from '../http/identify/organization.ts'
import { hasVerifiedSsoProvider } from '../statements/auth/has-verified-sso-provider.ts'
import { canonicalAllowedIps } from './allowed-ips.ts'
import { declaredKeys } from '../lib/keys.ts'

/** The maximum number of entries in the address list (docs/limits.md#credentials). */
const ALLOWED_IPS_MAX = 32

export const PolicyInput = z.object({
  requireSso: z.boolean().describe('People must sign in through the organization, not with a password.'),
  requireTwoFactor: z.boolean().describe('People must have two-factor authentication set up.'),
  sessionLifetimeDays: z
    .literal([1, 7, 30])
    .nullable()
    .describe('Sessions end at this age; null: after 30 days.'),
  allowedIps: z
    .array(z.string())
    .max(ALLOWED_IPS_MAX)
    .describe('Addresses and CIDR ranges that people and keys may call from; empty: anywhere.'),
  anyPackages: z
    .boolean()
    .default(false)
    .describe('Builds may add any npm package that passes the limits, not only the curated ones.'),
})
type PolicyInput = z.output<typeof PolicyInput>

/** The policy that requests are checked against, and the rules for builds. */
interface StoredPolicy extends Policy {
  anyPackages: boolean
}

export const SecurityPolicy = PolicyInput.extend({
  ssoReady: z.boolean().describe('Whether requireSso can be switched on.'),
  callerAddress: z.string().describe('Where this call comes from: what allowedIps must contain.'),
}).meta({ id: 'SecurityPolicy' })

export async function readPolicy(ctx: Context) {
  const { organizationId } = ctx.caller
  return presentPolicy(ctx.address, await loadPolicy(ctx.db, organizationId), await isSsoReady(ctx, ctx.db))
}

/**
 * Replaces the policy. A stricter policy signs every member out, including the caller, so that no session
 * continues under the old policy. API keys stay valid.
 */
export function updatePolicy(ctx: Context, input: PolicyInput) {
  const { organizationId } = ctx.caller
  if (input.requireSso) refuseWithoutPlan(ctx)
  const policy: StoredPolicy = { ...input, allowedIps: canonicalAllowedIps(input.allowedIps, ctx.address) }
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const ssoReady = await isSsoReady(ctx, trx)
    if (input.requireSso && !ssoReady)
      throw invalid('requireSso', 'needs a single sign-on provider whose domain is verified')
    const before = await loadPolicy(trx, organizationId)
    await storePolicy(trx, organizationId, policy, ctx.clock.now())
    if (isStricter(policy, before)) await endAllSessions(trx, organizationId)
    await recordCallerChange(ctx, trx, {
      action: 'security.updated',
      target: ctx.caller.organizationName,
      detail: policyChangeText(policy, before),
    })
    return presentPolicy(ctx.address, policy, ssoReady)
  })
}

/**
 * Stops requiring single sign-on when its provider is removed. No member could meet the requirement any more,
 * so none could sign in to lift it.
 */
export async function dropSsoRequirement(trx: Trx, organizationId: string, now: Date): Promise<void> {
  await trx
    .updateTable('security_policies')
    .set({ require_sso: false, updated_at: now })
    .where('org_id', '=', organizationId)
    .where('require_sso', '=', true)
    .execute()
}

/** Throws 402 when the organization's plan has no single sign-on. */
export function refuseWithoutPlan(ctx: CallerContext): void {
  if (ctx.caller.plan !== 'enterprise')
    throw new ApiError('payment_required', 'Single sign-on is part of the Enterprise plan.')
}

/**
 * Returns whether single sign-on can be required. A provider that was set up before the plan was downgraded
 * must not sign people in.
 */
async function isSsoReady(ctx: CallerContext, db: Db | Trx): Promise<boolean> {
  if (ctx.caller.plan !== 'enterprise') return false
  return await hasVerifiedSsoProvider(db, ctx.caller.organizationId)
}

const presentPolicy = (callerAddress: string, policy: StoredPolicy, ssoReady: boolean) => ({
  ...policy,
  allowedIps: [...policy.allowedIps],
  ssoReady,
  callerAddress,
})

async function loadPolicy(db: Db | Trx, organizationId: string): Promise<StoredPolicy> {
  const row = await db
    .selectFrom('security_policies')
    .select(['require_sso', 'require_two_factor', 'session_lifetime_days', 'allowed_ips', 'any_packages'])
    .where('org_id', '=', organizationId)
    .executeTakeFirst()
  return { ...policyOf(row), anyPackages: row?.any_packages ?? false }
}

/** Returns whether builds of the organization may add any npm package, not only the curated ones. */
export async function allowsAnyPackage(db: Db, organizationId: string): Promise<boolean> {
  return (await loadPolicy(db, organizationId)).anyPackages
}

async function storePolicy(trx: Trx, organizationId: string, policy: StoredPolicy, at: Date): Promise<void> {
  const columns = {
    require_sso: policy.requireSso,
    require_two_factor: policy.requireTwoFactor,
    session_lifetime_days: policy.sessionLifetimeDays,
    allowed_ips: [...policy.allowedIps],
    any_packages: policy.anyPackages,
    updated_at: at,
  }
  await trx
    .insertInto('security_policies')
    .values({ org_id: organizationId, ...columns, created_at: at })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet(columns))
    .execute()
}

/**
 * Returns whether a session that was valid may be invalid under the new policy. Addresses do not matter here,
 * because they are checked at every request.
 */
function isStricter(next: Policy, before: Policy): boolean {
  return (
    (next.requireSso && !before.requireSso) ||
    (next.requireTwoFactor && !before.requireTwoFactor) ||
    (next.sessionLifetimeDays ?? Infinity) < (before.sessionLifetimeDays ?? Infinity)
  )
}

/** Describes the changes for the activity log. Returns null when nothing changed. */
function policyChangeText(next: StoredPolicy, before: StoredPolicy): string | null {
  const changes = declaredKeys(next)
    .map((field) => ({ field, was: JSON.stringify(before[field]), is: JSON.stringify(next[field]) }))
    .filter(({ was, is }) => was !== is)
  return changes.length === 0 ? null : changes.map(({ field, is }) => `${field}: ${is}`).join(', ')
}

/** Removes every requirement of an organization. Returns false when it has none. */
export async function deletePolicy(trx: Trx, organizationId: string): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('security_policies')
    .where('org_id', '=', organizationId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes the address list, so that members and keys can call from anywhere. Returns false when there was none. */
export async function clearAllowedIps(trx: Trx, organizationId: string, now: Date): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('security_policies')
    .set({ allowed_ips: [], updated_at: now })
    .where('org_id', '=', organizationId)
    .where((eb) => eb.fn<number>('cardinality', ['allowed_ips']), '>', 0)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
