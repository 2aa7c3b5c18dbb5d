import type { BetterAuthOptions } from 'better-auth'
import type { PlatformPorts } from '../platform.ts'
import type { authMails } from './auth-mails.ts'
import { ensureOrganization } from './personal-organization.ts'
import { joinThroughSso, ssoProviderOf } from './sso/join.ts'
import { prepareSession } from './prepare-session.ts'
import { consumeTotpCode } from './consume-totp-code.ts'

const NO_TOKENS = { accessToken: null, refreshToken: null, idToken: null }

const TWO_FACTOR_CHANGES = ['/two-factor/verify-totp', '/two-factor/disable']

/** Hooks that the auth library runs before and after it writes a person, an account or a session, whatever route caused the write. */
export function databaseHooks(
  platform: PlatformPorts<'config' | 'jobs'>,
  mails: ReturnType<typeof authMails>,
) {
  return {
    user: {
      create: {
        // Addresses from single sign-on count as verified: the organization has proven that it owns their domain.
        before: (user, context) =>
          Promise.resolve({
            data: ssoProviderOf(context) === null ? user : { ...user, emailVerified: true },
          }),
        // This hook runs after the commit, when the first session already exists without an organization.
        after: async (user) => {
          const organizationId = await ensureOrganization(platform, user.id)
          await platform.db
            .updateTable('session')
            .set({ activeOrganizationId: organizationId })
            .where('userId', '=', user.id)
            .where('activeOrganizationId', 'is', null)
            .execute()
        },
      },
      update: {
        // A sign-in with a code does not update the user, so this hook runs on these paths only when the
        // second factor was set up or disabled.
        after: async (user, context) => {
          if (context !== null && TWO_FACTOR_CHANGES.includes(context.path))
            await mails.twoFactorChanged({ email: user.email, isOn: user['twoFactorEnabled'] === true })
        },
      },
    },
    account: {
      // The service does not use the tokens of an identity provider, and the library would store them in plain text.
      create: { before: (account) => Promise.resolve({ data: { ...account, ...NO_TOKENS } }) },
      update: { before: (account) => Promise.resolve({ data: { ...account, ...NO_TOKENS } }) },
    },
    session: {
      create: {
        before: async (session, context) => {
          if (context?.path === '/two-factor/verify-totp')
            await consumeTotpCode(platform.db, {
              userId: session.userId,
              code: String(context.body.code),
              key: context.context.secretConfig,
            })
          const providerId = ssoProviderOf(context)
          const joined =
            context === null || providerId === null
              ? null
              : await joinThroughSso(context, {
                  providerId,
                  userId: session.userId,
                  now: platform.clock.now(),
                })
          return {
            data: await prepareSession(
              platform,
              joined === null ? session : { ...session, activeOrganizationId: joined },
              {
                path: context?.path ?? null,
                replaced: context?.context.session?.session ?? null,
                providerId,
              },
            ),
          }
        },
      },
    },
  } satisfies BetterAuthOptions['databaseHooks']
}
