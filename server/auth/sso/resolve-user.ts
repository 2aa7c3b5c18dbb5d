import type { SSOOptions } from '@better-auth/sso'
import { revokeKeysCreatedBy } from '../../keys/keys-of.ts'
import type { Core } from '../../platform.ts'
import { nonceOfSignIn } from './sign-in.ts'
import { emailDomain, verifiedProvider } from './verified-provider.ts'

type ResolveUser = NonNullable<SSOOptions['resolveUser']>
type SsoAssertion = Parameters<ResolveUser>[0]
type AuthDatabase = Parameters<ResolveUser>[1]['database']
type SsoDecision = Awaited<ReturnType<ResolveUser>>

interface KnownUser {
  id: string
  email: string
  emailVerified: boolean
}

/** The tables with an account's credentials, which are deleted when the account is given to the owner of its address. */
const CREDENTIAL_TABLES = ['account', 'passkey', 'twoFactor', 'session'] as const

/**
 * Decides which account a sign-in through an identity provider opens. The provider's e-mail address must be at a
 * domain that the provider's organization has proven to own. Runs in the transaction that creates the session.
 */
export const resolveUser =
  (platform: Core): ResolveUser =>
  async (assertion, { database }): Promise<SsoDecision> => {
    if (assertion.protocol === 'oidc') {
      const problem = await problemOfIdToken(assertion)
      if (problem !== null) return { action: 'reject', code: problem }
    }
    const email = assertion.providerUser.email.toLowerCase()
    if (!(await speaksFor(platform, assertion.providerId, email))) return DOMAIN_NOT_CLAIMED
    const linked = await linkedUser(database, assertion)
    // The account's address may have changed since the account was linked, to a domain that the provider does not
    // own.
    if (linked !== null && !(await speaksFor(platform, assertion.providerId, linked.email)))
      return DOMAIN_NOT_CLAIMED
    const user =
      linked ??
      (await database.findOne<KnownUser>({ model: 'user', where: [{ field: 'email', value: email }] }))
    if (user === null) return { action: 'continue' }
    if (!user.emailVerified) await removeForeignSignIns(platform, database, user.id)
    return { action: 'link', userId: user.id, profile: 'preserve' }
  }

const DOMAIN_NOT_CLAIMED = { action: 'reject', code: 'domain_not_claimed' } as const

async function speaksFor(platform: Core, providerId: string, email: string): Promise<boolean> {
  const domain = emailDomain(email)
  return domain !== null && (await verifiedProvider(platform.db, domain))?.providerId === providerId
}

/**
 * Returns the reason why an ID token is refused; null when it is accepted. The single sign-on plugin has checked the
 * token's signature, issuer, audience and times. But the plugin also accepts a sign-in without a token or without an
 * expiry, and it sends no nonce.
 */
async function problemOfIdToken(assertion: SsoAssertion & { protocol: 'oidc' }): Promise<string | null> {
  const { verifiedIdTokenClaims: token, providerClaims } = assertion
  if (
    typeof token['sub'] !== 'string' ||
    typeof token['exp'] !== 'number' ||
    typeof token['iat'] !== 'number'
  )
    return 'id_token_incomplete'
  const nonce = await nonceOfSignIn()
  if (nonce === null || token['nonce'] !== nonce) return 'nonce_mismatch'
  // A person can enter any address at the provider, so an unverified address does not prove the domain.
  const isDenied = [token, providerClaims].some(
    (claims) => String(claims['email_verified'] ?? true) !== 'true',
  )
  return isDenied ? 'email_not_verified' : null
}

async function linkedUser(database: AuthDatabase, assertion: SsoAssertion): Promise<KnownUser | null> {
  const account = await database.findOne<{ userId: string }>({
    model: 'account',
    where: [
      { field: 'providerId', value: assertion.providerId },
      { field: 'accountId', value: assertion.accountKey.accountId },
    ],
  })
  if (account === null) return null
  return database.findOne<KnownUser>({ model: 'user', where: [{ field: 'id', value: account.userId }] })
}

/**
 * Gives an account to the owner of its address. The address was never verified, so another person may have signed up
 * with it in advance. Therefore the account's password, passkeys, sessions and API keys are deleted first.
 */
async function removeForeignSignIns(platform: Core, database: AuthDatabase, userId: string): Promise<void> {
  for (const model of CREDENTIAL_TABLES)
    await database.deleteMany({ model, where: [{ field: 'userId', value: userId }] })
  await database.update({
    model: 'user',
    where: [{ field: 'id', value: userId }],
    update: { emailVerified: true, twoFactorEnabled: false },
  })
  await revokeKeysCreatedBy(platform.db, userId)
}
