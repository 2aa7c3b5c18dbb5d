import { deleteSession } from '../statements/auth/delete-session.ts'
import type { Kernel } from './context.ts'
import { isListed } from './address.ts'
import type { Identity } from './caller.ts'
import { refuseCrossSite } from './cross-site.ts'
import type { Endpoint } from './endpoint.ts'
import { ApiError } from './errors.ts'
import type { Limits } from './limits/limits.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

export interface Attempt {
  endpoint: Pick<Endpoint, 'scope' | 'role'>
  identity: Identity
  request: Request
  address: string
  kernel: Pick<Kernel, 'config' | 'db' | 'clock'>
  /**
   * Null when the access to an open stream is checked again, because that is not a new request and does not count
   * against the rate limits.
   */
  limits: Pick<Limits, 'caller'> | null
}

type AccessCheck = (attempt: Attempt) => void | Promise<void>

/**
 * The access checks in the order in which they run. The order is part of the public API, because a request that fails
 * several checks gets the error of the first. The address is checked before the rate limit, so that a leaked key used
 * elsewhere cannot use up its owner's limit.
 */
const ACCESS_CHECKS: readonly AccessCheck[] = [
  fromAllowedAddress,
  withinLimit,
  fromOwnPages,
  sessionOnly,
  withinLifetime,
  signedInThroughSso,
  twoFactorSetUp,
  requireScope,
  adminOnly,
]

/** Runs `ACCESS_CHECKS`. Throws the error of the first check that fails, and returns when the caller may use the endpoint. */
export async function authorize(attempt: Attempt): Promise<void> {
  for (const check of ACCESS_CHECKS) {
    const pending = check(attempt)
    // Most checks are synchronous. Awaiting their results would delay every request by a few microtasks.
    if (pending !== undefined) await pending
  }
}

function fromAllowedAddress({ identity: { policy }, address }: Attempt): void {
  if (policy.allowedIps.length === 0 || isListed(address, policy.allowedIps)) return
  throw new ApiError('ip_not_allowed', `This organization does not allow calls from ${address}.`)
}

function withinLimit({ identity: { caller }, limits }: Attempt): Promise<void> | undefined {
  return limits?.caller(caller)
}

function fromOwnPages({ identity: { session }, request, kernel }: Attempt): void {
  if (session !== null) refuseCrossSite(request, kernel.config.baseUrl)
}

function sessionOnly({ endpoint, identity: { session } }: Attempt): void {
  if (endpoint.scope !== 'session' || session !== null) return
  throw new ApiError('forbidden', 'This route takes a signed-in session, not an API key.')
}

function withinLifetime({ identity: { session, policy }, kernel }: Attempt): Promise<never> | undefined {
  if (session === null || policy.sessionLifetimeDays === null) return undefined
  const endsAt = session.createdAt.getTime() + policy.sessionLifetimeDays * DAY_MS
  return kernel.clock.now().getTime() < endsAt ? undefined : endOverdueSession(kernel, session.id)
}

async function endOverdueSession(kernel: Attempt['kernel'], sessionId: string): Promise<never> {
  await deleteSession(kernel.db, sessionId)
  throw new ApiError('unauthorized', 'This session is older than the organization allows. Sign in again.')
}

function signedInThroughSso({ identity: { session, policy } }: Attempt): void {
  if (session === null || !policy.requireSso || session.isThroughSso) return
  throw new ApiError('unauthorized', 'This organization requires single sign-on. Sign in through it.')
}

function twoFactorSetUp({ identity: { session, policy } }: Attempt): void {
  if (session === null || !policy.requireTwoFactor || session.hasTwoFactor) return
  throw new ApiError(
    'two_factor_required',
    'This organization requires two-factor authentication: set it up for your account first.',
  )
}

function requireScope({ endpoint: { scope }, identity: { caller } }: Attempt): void {
  if (scope === 'any' || scope === 'session' || scope === 'public' || caller.scopes.has(scope)) return
  throw new ApiError('forbidden_scope', `The API key lacks the scope ${scope}: use a key that has it.`)
}

function adminOnly({ endpoint, identity: { caller } }: Attempt): void {
  if (endpoint.role !== 'admin' || caller.role === 'owner' || caller.role === 'admin') return
  throw new ApiError('forbidden', 'Only owners and admins of the organization may do this.')
}
