import type { SSOOptions } from '@better-auth/sso'
import { revokeKeysMadeBy } from '../../keys/keys-of.ts'
import type { Core } from '../../platform.ts'
import { nonceOfSignIn } from './sign-in.ts'
import { emailDomain, verifiedProvider } from './verified-provider.ts'

type ResolveUser = NonNullable<SSOOptions['resolveUser']>
type Assertion = Parameters<ResolveUser>[0]
type Adapter = Parameters<ResolveUser>[1]['database']
type Decision = Awaited<ReturnType<ResolveUser>>

interface KnownUser {
  id: string
  email: string
  emailVerified: boolean
}

/** Every way into an account besides this sign-in: all of them end when its owner takes the account back. */
const CREDENTIALS = ['account', 'passkey', 'twoFactor', 'session'] as const

/**
 * Decides which account an assertion opens, in the transaction that creates the session: none, unless the
 * address is at a domain that the provider's organization has proven to own.
 */
export const resolveUser =
  (platform: Core): ResolveUser =>
  async (assertion, { database }): Promise<Decision> => {
    if (assertion.protocol === 'oidc') {
      const problem = await problemOfIdToken(assertion)
      if (problem !== null) return { action: 'reject', code: problem }
    }
    const email = assertion.providerUser.email.toLowerCase()
    if (!(await speaksFor(platform, assertion.providerId, email))) return FOREIGN
    const linked = await linkedUser(database, assertion)
    // The provider's own name for a person who has since moved to an address elsewhere.
    if (linked !== null && !(await speaksFor(platform, assertion.providerId, linked.email))) return FOREIGN
    const user =
      linked ??
      (await database.findOne<KnownUser>({ model: 'user', where: [{ field: 'email', value: email }] }))
    if (user === null) return { action: 'continue' }
    if (!user.emailVerified) await takeBack(platform, database, user.id)
    return { action: 'link', userId: user.id, profile: 'preserve' }
  }

const FOREIGN = { action: 'reject', code: 'domain_not_claimed' } as const

async function speaksFor(platform: Core, providerId: string, email: string): Promise<boolean> {
  const domain = emailDomain(email)
  return domain !== null && (await verifiedProvider(platform.db, domain))?.providerId === providerId
}

/**
 * Returns why an ID token is not good enough, or null. The library has checked its signature, issuer,
 * audience and times, but it also signs in without a token or without an expiry, and it sends no nonce.
 */
async function problemOfIdToken(assertion: Assertion & { protocol: 'oidc' }): Promise<string | null> {
  const { verifiedIdTokenClaims: token, providerClaims } = assertion
  if (
    typeof token['sub'] !== 'string' ||
    typeof token['exp'] !== 'number' ||
    typeof token['iat'] !== 'number'
  )
    return 'id_token_incomplete'
  const nonce = await nonceOfSignIn()
  if (nonce === null || token['nonce'] !== nonce) return 'nonce_mismatch'
  // An address that people choose themselves at the provider says nothing about the domain.
  const isDenied = [token, providerClaims].some(
    (claims) => String(claims['email_verified'] ?? true) !== 'true',
  )
  return isDenied ? 'email_not_verified' : null
}

async function linkedUser(database: Adapter, assertion: Assertion): Promise<KnownUser | null> {
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
 * Gives an account to the owner of its address. The address was never proven, so another person may have
 * signed up with it in advance: their password, passkeys, sessions and keys end first.
 */
async function takeBack(platform: Core, database: Adapter, userId: string): Promise<void> {
  for (const model of CREDENTIALS)
    await database.deleteMany({ model, where: [{ field: 'userId', value: userId }] })
  await database.update({
    model: 'user',
    where: [{ field: 'id', value: userId }],
    update: { emailVerified: true, twoFactorEnabled: false },
  })
  await revokeKeysMadeBy(platform.db, userId)
}
