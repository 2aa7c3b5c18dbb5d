import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { expireCookie } from 'better-auth/cookies'
import * as z from 'zod'
import { ApiError } from '../http/errors.ts'
import { addressBucket } from '../http/limits/limits.ts'
import { requireShallow, validate } from '../http/validate.ts'
import type { PlatformPorts } from '../platform.ts'
import { CLIENT_ADDRESS_HEADER } from './guard-request.ts'
import { invitationLimits, mayInvite } from './invitation-limits.ts'
import { PlainName } from './names.ts'
import { isInvited } from './personal-organization.ts'
import { ACS_PREFIX, refuseUnsafeSaml } from './sso/saml-guard.ts'
import { SSO_SIGN_IN, ssoSignInBody, withNonce } from './sso/sign-in.ts'
import { endTrustedDevices } from './trusted-devices.ts'

const SIGN_IN = '/sign-in/email'
const SIGN_UP = '/sign-up/email'
/** Routes that end other sessions. Trusted devices are removed first, so that a crash in between leaves no device trusted. */
const SIGN_OUT_ELSEWHERE = ['/revoke-sessions', '/revoke-other-sessions']
const INVITE_PATH = '/organization/invite-member'
const ASK_FOR_PASSKEY = '/passkey/generate-authenticate-options'

/** The fields of an organization that can be changed. The library fails with a database error when none is given. */
const OrganizationChange = z
  .object({
    name: PlainName.optional(),
    slug: z.unknown().optional(),
    logo: z.unknown().optional(),
    metadata: z.unknown().optional(),
  })
  .refine(
    (data) => Object.values(data).some((value) => value !== undefined),
    'must have at least one of name, slug, logo and metadata',
  )

/** Schemas for bodies that Better Auth would store without validation. */
const CHECKED_BODIES: Record<string, z.ZodType> = {
  '/sign-up/email': z.object({ name: PlainName }),
  '/organization/create': z.object({ name: PlainName }),
  '/organization/update': z.object({ data: OrganizationChange }),
  '/update-user': z.object({ name: PlainName.optional(), image: z.string().max(2_000).nullish() }),
  '/passkey/verify-registration': z.object({ name: z.string().max(80).optional() }),
  '/passkey/update-passkey': z.object({ name: z.string().max(80).optional() }),
}

/**
 * Hooks before and after the auth library's routes. Failed sign-ins are limited per account and client
 * address, and less strictly per account alone, so that ten wrong passwords of a stranger do not lock the
 * owner out.
 */
export function routeHooks(platform: PlatformPorts<'config' | 'counters'>) {
  const { config, counters } = platform
  const failuresHere = counters.open({ name: 'failed here', points: 10, seconds: 15 * 60 })
  const failuresAnywhere = counters.open({ name: 'failed anywhere', points: 100, seconds: 60 * 60 })

  const refusedSignUps = counters.open({ name: 'refused sign-ups', points: 100, seconds: 60 * 60 })

  const budgetsOf = (headers: Headers | undefined, email: string) => [
    { counter: failuresHere, bucket: `${email} ${addressBucketOf(headers)}` },
    { counter: failuresAnywhere, bucket: email },
  ]

  const countInvitation = invitationLimits(counters)

  /**
   * Counts an invitation before the library handles it. A refusal when the mail is sent would come too late: by then
   * the library has cancelled the earlier invitation, and the library returns 200 despite the refusal.
   */
  const countSending = async (ctx: Parameters<typeof getSessionFromCtx>[0]) => {
    const { user, session } = (await getSessionFromCtx(ctx)) ?? {}
    const organizationId: unknown = ctx.body?.organizationId || session?.['activeOrganizationId']
    if (user === undefined || typeof organizationId !== 'string') return
    const sending = { organizationId, inviterId: user.id, email: emailInBody(ctx.body) }
    if (await mayInvite(platform.db, sending)) await countInvitation(sending)
  }

  return {
    before: createAuthMiddleware(async (ctx) => {
      if (SIGN_OUT_ELSEWHERE.includes(ctx.path)) {
        const session = await getSessionFromCtx(ctx)
        if (session !== null) await endTrustedDevices(platform.db, [session.user.id])
      }
      if (ctx.path.startsWith(ACS_PREFIX)) refuseUnsafeSaml(ctx.body)
      if (ctx.path === SSO_SIGN_IN) return { context: { body: await ssoSignInBody(platform.db, ctx.body) } }
      requireShallow(ctx.body)
      const checked = CHECKED_BODIES[ctx.path]
      if (checked !== undefined) validate(checked, ctx.body ?? {}, 'body')
      if (ctx.path === INVITE_PATH) await countSending(ctx)
      if (ctx.path !== SIGN_IN && ctx.path !== SIGN_UP) return
      const email = emailInBody(ctx.body)
      // Sign-ups are limited, because without a mail server a refused sign-up reveals that the address has an account.
      if (ctx.path === SIGN_UP) await refusedSignUps.spend(addressBucketOf(ctx.headers))
      if (ctx.path === SIGN_IN) {
        // A point is spent before the result is known, so that parallel guesses are counted. A success refunds the point.
        for (const { counter, bucket } of budgetsOf(ctx.headers, email)) await counter.spend(bucket)
        return
      }
      if (config.signup === 'open' || (await isInvited(platform.db, email, platform.clock.now()))) return
      throw new ApiError('forbidden', 'This Slipway takes new people by invitation only.')
    }),
    after: createAuthMiddleware(async (ctx) => {
      // The library has no setting that requires user verification for a sign-in with a passkey. Without the requirement, a device that
      // does not verify its user fails only at the last step of the sign-in.
      if (ctx.path === ASK_FOR_PASSKEY && isObject(ctx.context.returned))
        return ctx.json({ ...ctx.context.returned, userVerification: 'required' })
      const { returned } = ctx.context
      if (ctx.path === SSO_SIGN_IN && isObject(returned) && 'url' in returned)
        return ctx.json({ ...returned, url: await withNonce(String(returned.url)) })
      if (ctx.path === SIGN_UP && !(ctx.context.returned instanceof APIError))
        await refusedSignUps.refund(addressBucketOf(ctx.headers))
      if (ctx.path === SIGN_IN && (ctx.context.newSession || isEmailUnverified(ctx.context.returned))) {
        for (const { counter, bucket } of budgetsOf(ctx.headers, emailInBody(ctx.body)))
          await counter.refund(bucket)
      }
      // The library caches the session in a cookie for a minute, also when the active organization changes. Unless that cookie is removed,
      // the library's own routes find no organization right after sign-up.
      if (ctx.path === SIGN_UP || (ctx.method === 'POST' && ctx.path.startsWith('/organization/'))) {
        expireCookie(ctx, ctx.context.authCookies.sessionData)
      }
    }),
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

/** Returns whether the address is not verified yet. The library checks the password first, so such a sign-in does not count as failed. */
const isEmailUnverified = (returned: unknown): boolean =>
  returned instanceof APIError && returned.body?.code === 'EMAIL_NOT_VERIFIED'

const addressBucketOf = (headers: Headers | undefined) =>
  addressBucket(headers?.get(CLIENT_ADDRESS_HEADER) ?? '')

function emailInBody(body: unknown): string {
  const email = body !== null && typeof body === 'object' && 'email' in body ? body.email : null
  return typeof email === 'string' ? email.toLowerCase() : ''
}
