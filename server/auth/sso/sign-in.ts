import { randomBytes } from 'node:crypto'
import { addOAuthServerContext, APIError, getOAuthState } from 'better-auth/api'
import * as z from 'zod'
import type { Db } from '../../db/database.ts'
import { validate } from '../../http/validate.ts'
import { isOwnPath } from '../../lib/own-path.ts'
import { emailDomain, verifiedProvider } from './verified-provider.ts'

export const SSO_SIGN_IN = '/sign-in/sso'

/**
 * Where the browser is redirected after the sign-in. Only a path of this host is accepted, because the auth
 * library would also redirect to the origin of an identity provider.
 */
const OwnPath = z.string().max(2_000).refine(isOwnPath, 'must be a path on this host')

const SsoSignInBody = z.object({
  email: z.string().max(320),
  callbackURL: OwnPath.default('/'),
  errorCallbackURL: OwnPath.default('/sign-in'),
})

/**
 * Returns the request body for the auth library, with the id of the only provider whose organization has
 * proven that it owns the address's domain. With an address alone, the library would take any provider that
 * claims the domain.
 */
export async function ssoSignInBody(db: Db, body: unknown) {
  const { email, callbackURL, errorCallbackURL } = validate(SsoSignInBody, body ?? {}, 'body')
  const domain = emailDomain(email)
  const provider = domain === null ? null : await verifiedProvider(db, domain)
  if (provider === null)
    throw new APIError('NOT_FOUND', {
      code: 'NO_SSO_PROVIDER',
      message: 'No organization has set up single sign-on for this address.',
    })
  const common = { providerId: provider.providerId, callbackURL, errorCallbackURL }
  if (!provider.isOidc) return common
  await addOAuthServerContext({ nonce: randomBytes(16).toString('base64url') })
  return { ...common, loginHint: email.trim() }
}

/**
 * Adds a nonce to the provider's sign-in URL, because the library sends none. `resolveUser` checks that the ID token
 * contains the nonce, so that the token belongs to this sign-in.
 */
export async function withNonce(url: string): Promise<string> {
  const nonce = await nonceOfSignIn()
  const address = new URL(url)
  if (nonce !== null) address.searchParams.set('nonce', nonce)
  return address.href
}

/** Returns the nonce from the state of the sign-in that this request begins or ends, or null for SAML. */
export async function nonceOfSignIn(): Promise<string | null> {
  const nonce = (await getOAuthState())?.serverContext?.['nonce']
  return typeof nonce === 'string' ? nonce : null
}
