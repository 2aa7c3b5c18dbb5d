import { betterAuth, type BetterAuthOptions } from 'better-auth'
import { organization } from 'better-auth/plugins/organization'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Pool } from 'pg'
import { cookiePrefix } from '../http/identify/session-cookie.ts'
import type { PlatformPorts } from '../platform.ts'
import { authMails } from './auth-mails.ts'
import { databaseHooks } from './database-hooks.ts'
import { endExpiredInvitations } from './expired-invitations.ts'
import { CLIENT_ADDRESS_HEADER } from './guard-request.ts'
import { routeHooks } from './hooks.ts'
import { passkeys } from './passkeys.ts'
import { setUpOrganization } from './set-up-organization.ts'
import { DISABLED_SSO_PATHS, ssoPlugins } from './sso/plugin.ts'
import { DAY_SECONDS } from '@slipway/runtime/kernel/durations.ts'

/** How long the second factor is locked after ten wrong codes in a row. */
export const LOCKOUT_SECONDS = 15 * 60
/** The library lists at most a hundred rows by default, and it also counts an organization's owners in such a list. */
const DEFAULT_ROWS_MAX = 10_000

/** The library's own routes for these actions would bypass the service's rules for deleting accounts and creating sessions. */
const DISABLED_PATHS = [
  '/delete-user',
  '/delete-user/callback',
  '/organization/delete',
  '/update-session',
  '/sign-in/social',
  '/link-social',
  // The service stores no tokens of identity providers and links accounts only through single sign-on.
  '/account-info',
  '/get-access-token',
  '/refresh-token',
  '/unlink-account',
  // People keep their address: the service has no page on which it is changed.
  '/change-email',
  // A stolen session must not learn whether a password is right, which secret its authenticator app has, or which short names are taken.
  '/verify-password',
  '/two-factor/get-totp-uri',
  '/organization/check-slug',
  // A code by mail is not a second factor, because the password can be reset by mail too.
  '/two-factor/send-otp',
  '/two-factor/verify-otp',
  ...DISABLED_SSO_PATHS,
]

/** Lets tests replace the auth library's password hash, which takes a tenth of a second. */
export type Passwords = Required<NonNullable<NonNullable<BetterAuthOptions['emailAndPassword']>['password']>>

export function authOptions(
  platform: PlatformPorts<'config' | 'keyring' | 'jobs' | 'counters' | 'mailer'>,
  pool: Pool,
  passwords?: Passwords,
) {
  const { config, keyring, log } = platform
  const mails = authMails(platform)
  // Without a mail server no address can be verified, so requiring verification would make every sign-in fail.
  const mustVerify = config.mail !== null
  return {
    appName: 'Slipway',
    baseURL: config.baseUrl,
    basePath: '/api/auth',
    telemetry: { enabled: false },
    secrets: keyring.authSecrets,
    database: pool,
    // The library reads discovery documents and tokens of a private identity provider only from an origin in this list.
    trustedOrigins: [new URL(config.baseUrl).origin, ...config.trustedIdpOrigins],
    emailAndPassword: {
      enabled: true,
      minPasswordLength: 10,
      revokeSessionsOnPasswordReset: true,
      requireEmailVerification: mustVerify,
      sendResetPassword: mails.reset,
      ...(passwords && { password: passwords }),
    },
    emailVerification: { sendOnSignUp: true, sendVerificationEmail: mails.verify },
    // Reset tokens are stored hashed, so that a copy of the database cannot be used to set passwords.
    verification: { storeIdentifier: { default: 'plain', overrides: { 'reset-password': 'hashed' } } },
    user: { deleteUser: { enabled: false } },
    session: {
      expiresIn: 30 * DAY_SECONDS,
      // The default refresh would extend a session with a shorter lifetime to thirty days when it is first read.
      disableSessionRefresh: true,
      freshAge: DAY_SECONDS,
      cookieCache: { enabled: true, maxAge: 60 },
      additionalFields: {
        authMethod: { type: 'string', required: false, input: false },
        ssoProviderId: { type: 'string', required: false, input: false },
      },
    },
    databaseHooks: databaseHooks(platform, mails),
    hooks: routeHooks(platform),
    // The service's own rate limits cover these routes and send Retry-After.
    rateLimit: { enabled: false },
    // Unexpected errors are thrown to the service's error handler, which logs them and hides their text.
    onAPIError: { throw: true, errorURL: `${new URL(config.baseUrl).origin}/sign-in` },
    logger: { level: 'warn', log: (level, message, ...details) => log[level]({ details }, message) },
    advanced: {
      // With secure cookies the library would set the prefix `__Secure-`, which is weaker than the service's `__Host-`.
      useSecureCookies: false,
      cookiePrefix: cookiePrefix(config.baseUrl),
      defaultCookieAttributes: { secure: config.baseUrl.startsWith('https:') },
      // Sessions store the full address, not its network: people recognise it in the list of their sessions.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER], ipv6Subnet: 128 },
      // A test checks the schema, so that it need not be checked at every start.
      database: { validateSchema: false, defaultFindManyLimit: DEFAULT_ROWS_MAX },
    },
    disabledPaths: DISABLED_PATHS,
    plugins: [
      // People who sign in without a password can set up a second factor too.
      twoFactor({
        issuer: 'Slipway',
        allowPasswordless: true,
        accountLockout: { maxFailedAttempts: 10, durationSeconds: LOCKOUT_SECONDS },
      }),
      passkeys(config.baseUrl),
      ...ssoPlugins(platform),
      organization({
        invitationExpiresIn: 7 * DAY_SECONDS,
        cancelPendingInvitationsOnReInvite: true,
        disableOrganizationDeletion: true,
        membershipLimit: 1000,
        requireEmailVerificationOnInvitation: mustVerify,
        sendInvitationEmail: mails.invite,
        organizationHooks: {
          afterCreateOrganization: ({ organization: created, user }) =>
            setUpOrganization(platform, created, user.id),
          beforeCreateInvitation: ({ invitation }) => endExpiredInvitations(platform.db, invitation),
        },
      }),
    ],
  } satisfies BetterAuthOptions
}

/** Opens the auth library. `auth.ts` imports this file lazily, because loading the library takes 0.2 s. */
export function openLibrary(
  platform: PlatformPorts<'config' | 'keyring' | 'jobs' | 'counters' | 'mailer'>,
  pool: Pool,
  passwords?: Passwords,
) {
  return betterAuth(authOptions(platform, pool, passwords))
}
