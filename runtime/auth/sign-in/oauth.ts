import { ApiError } from '../../kernel/errors.ts'
import { logError } from '../../kernel/objects/log.ts'
import { type AuthContext, emailIn, type AuthHandlers, nameOfEmail, originIn, textIn } from '../context.ts'
import { sha256Hex, newSecret } from '../../kernel/secrets.ts'
import { exchange, type Profile, ProviderError } from './oauth-exchange.ts'
import { authorizationUrl, returnAddress } from './oauth-request.ts'
import { hasIdToken, type Provider } from '../providers.ts'
import { TEAMS_PATH } from '../invite-token.ts'
import type { OauthResult, OauthSignIn, User } from '../types.ts'

const STATE_LIFETIME_MS = 600_000
const CODE_CHARS_MAX = 4096
const NAME_CHARS_MAX = 100
const RETRY_MS = 250
/** A sign-in creates and links its account in less. */
const WAIT_MS = 1000

type SignInProblem = 'cancelled' | 'failed' | 'closed' | 'taken' | 'no_email'

/** The sign-in page shows a message for each value of `problem`. */
const PROBLEM_PATH = '/sign-in?problem='

/**
 * Sign-in with an account at a provider: authorization code with PKCE. Runs in the live worker, which alone
 * has the client secret.
 */
export function oauthHandlers(auth: AuthContext): AuthHandlers<'oauthStart' | 'oauthFinish'> {
  const { settings, directory, account } = auth

  function providerOf(id: unknown): Provider {
    const provider = settings.providers.find((one) => one.id === id)
    if (provider === undefined) throw new ApiError('not_found', 'There is no such provider.')
    return provider
  }

  return {
    oauthStart: async ({ provider: id, origin, returnTo, from }) => {
      const provider = providerOf(id)
      await auth.admit(from)
      const own = originIn(origin)
      const [state, ticket, verifier, nonce] = [newSecret(), newSecret(), newSecret(), newSecret()]
      const pending: OauthSignIn = {
        provider: provider.id,
        verifier,
        nonce,
        redirectUri: new URL(`/_app/auth/oauth/${provider.id}/callback`, own).href,
        ticket: sha256Hex(ticket),
        returnTo: returnAddress(returnTo, own, settings.redirectUris),
        origin: own.origin,
      }
      const hash = sha256Hex(state)
      const payload = JSON.stringify(pending)
      await directory.users('issue', {
        purpose: 'oauth',
        subject: hash,
        hash,
        payload,
        ttlMs: STATE_LIFETIME_MS,
      })
      const url = authorizationUrl(provider, {
        redirectUri: pending.redirectUri,
        state,
        verifier,
        more: hasIdToken(provider) ? { nonce } : {},
      })
      return { url, ticket }
    },

    oauthFinish: async ({ provider: id, state, code, ticket, device, from }) => {
      const provider = providerOf(id)
      await auth.admit(from)
      const hash = sha256Hex(textIn(state, 100))
      const payload = await directory.users('redeem', { purpose: 'oauth', subject: hash, hash })
      const pending: OauthSignIn | null = payload === null ? null : JSON.parse(payload)
      // Reject the state of a sign-in that another browser began: it would sign this browser in to another person's account.
      if (
        pending === null ||
        pending.provider !== provider.id ||
        pending.ticket !== sha256Hex(textIn(ticket, 100))
      )
        return { session: null, to: `${PROBLEM_PATH}expired` }
      if (code === '') return endWithProblem(pending, 'cancelled')
      let profile: Profile
      try {
        profile = await exchange(provider, { ...pending, code: textIn(code, CODE_CHARS_MAX) })
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        // The provider's response may contain a token, so log only the step, and show the page no details.
        logError(error, { route: 'oauth' })
        return endWithProblem(pending, 'failed')
      }
      const giveUpAt = Date.now() + WAIT_MS
      for (;;) {
        const found = await personOf(provider, profile, inviteOf(pending))
        if (typeof found !== 'string')
          return { session: await auth.openSession(found, device), to: pending.returnTo }
        // The address may be that of the same person, whose other sign-in began at the same moment and has not linked its new account yet.
        if (found !== 'taken' || Date.now() > giveUpAt) return endWithProblem(pending, found)
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS))
      }
    },
  }

  /**
   * Returns the person who signs in with this account of a provider. Creates an account for an unknown address. Links an existing account
   * only when the app and the provider have both verified the address.
   */
  async function personOf(
    provider: Provider,
    profile: Profile,
    invite: string | null,
  ): Promise<User | SignInProblem> {
    const identity = { provider: provider.id, subject: profile.subject }
    const linked = await directory.users('byIdentity', identity)
    if (linked !== null) {
      const methods = await account(linked).account('methods', null)
      // The link is stored in two objects, and so far only in the directory: it is new, or an earlier sign-in was interrupted.
      if (!methods.includes(provider.id)) {
        await account(linked).account('link', identity)
        await auth.storeMethods(linked)
      }
      return auth.userOf(linked)
    }
    const email = addressIn(profile.email)
    if (email === null) return 'no_email'
    const known = await directory.users('idOf', { email })
    const existing = known === null ? null : await auth.userOf(known)
    if (existing !== null && !(existing.emailVerified && profile.emailVerified)) return 'taken'
    const name = textIn(profile.name, NAME_CHARS_MAX).trim() || nameOfEmail(email)
    const about = { email, name, emailVerified: profile.emailVerified }
    const user = existing ?? (await auth.createAccount(about, { invite }))
    // The invitation may be used up by the same person, whose other sign-in created the account meanwhile.
    if (user === 'closed' && (await directory.users('idOf', { email })) !== null) return 'taken'
    if (typeof user === 'string') return user
    // Link the provider account in the list of people first, because the list rejects an account that another person has linked.
    const isLinked = await directory.users('link', { id: user.id, identity })
    return isLinked ? personOf(provider, profile, invite) : 'taken'
  }
}

const endWithProblem = (pending: OauthSignIn, problem: SignInProblem): OauthResult => ({
  session: null,
  to: new URL(`${PROBLEM_PATH}${problem}`, pending.origin).href,
})

/**
 * Returns the invitation token when the sign-in began on an invitation page, to which `returnTo` then leads;
 * otherwise null.
 */
function inviteOf({ returnTo, origin }: OauthSignIn): string | null {
  const page = new URL(returnTo)
  return page.origin === origin && page.pathname === TEAMS_PATH ? page.searchParams.get('invite') : null
}

function addressIn(value: string | null): string | null {
  try {
    return emailIn(value)
  } catch {
    return null
  }
}
