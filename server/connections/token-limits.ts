import * as z from 'zod'
import type { Failure } from '../agent/frames.ts'
import { transact, type Trx } from '../db/database.ts'
import type { CallerContext } from '../endpoint.ts'
import { recordCallerChange } from '../activity/log.ts'
import { ApiError } from '../http/errors.ts'
import type { Core } from '../platform.ts'
import { type TokenLimits, reachedLimit, readTokenMonth, saveTokenLimits } from '../usage/token-limits.ts'

// The minimum is what a first build needs to begin. The maximum is more than any organization uses.
const Limit = z.int().min(1_000).max(1_000_000_000_000).nullable()

export const TokenLimitsInput = z.object({
  monthly: Limit.describe(
    'By builds, plan turns and captures of all projects, in a month (UTC); null: any number.',
  ),
  perTicket: Limit.describe('By all builds of one ticket; null: any number.'),
})

export const TokenUse = TokenLimitsInput.extend({
  month: z.string().describe('`YYYY-MM`, UTC.'),
  used: z
    .int()
    .describe('Counted in this month: input and output, with a token from the provider’s cache as a tenth.'),
}).meta({ id: 'TokenUse' })

export const readTokenUse = (ctx: CallerContext<'db' | 'clock'>): Promise<z.output<typeof TokenUse>> =>
  readTokenMonth(ctx.db, ctx.caller.organizationId, ctx.clock.now())

/** Replaces the token limits. A running build checks the new limits before its next model call. */
export function setTokenLimits(
  ctx: CallerContext<'db' | 'clock'>,
  limits: TokenLimits,
): Promise<z.output<typeof TokenUse>> {
  const { organizationId: orgId, organizationName } = ctx.caller
  return transact(ctx.db, async (trx) => {
    const at = ctx.clock.now()
    await saveTokenLimits(trx, orgId, limits, at)
    await recordCallerChange(ctx, trx, {
      action: 'token_limits.updated',
      target: organizationName,
      detail: `monthly: ${limits.monthly ?? 'none'}, per ticket: ${limits.perTicket ?? 'none'}`,
    })
    return readTokenMonth(trx, orgId, at)
  })
}

interface LimitScope {
  orgId: string
  /** Null for a model call outside of a build, to which only the organization's monthly limit applies. */
  ticketId: string | null
}

/**
 * Throws `forbidden` when a token limit is used up; the message names the limit. The error is neither a 409, which
 * means to wait for another build, nor a 429, after which a program would send the request again.
 */
export async function requireTokens(trx: Trx, scope: LimitScope, at: Date): Promise<void> {
  const limit = await reachedLimit(trx, scope, at)
  if (limit !== null) throw new ApiError('forbidden', limit.message)
}

/** Returns the failure with which a run ends when a token limit is used up; null while the run may call its model. */
export async function tokenFailure(platform: Core, scope: LimitScope): Promise<Failure | null> {
  const limit = await reachedLimit(platform.db, scope, platform.clock.now())
  return limit === null ? null : { kind: 'budget', message: limit.message }
}
