import { ProviderError, redeem } from '../auth/sign-in/oauth-exchange.ts'
import { authorizationUrl, returnAddress } from '../auth/sign-in/oauth-request.ts'
import { originIn, textIn } from '../auth/context.ts'
import { sha256Hex, newSecret } from '../kernel/secrets.ts'
import { isUserId, type SessionToken } from '../kernel/access/actor.ts'
import { invalid, unwrapResult } from '../kernel/errors.ts'
import { heldError } from '../kernel/objects/hold.ts'
import { logError } from '../kernel/objects/log.ts'
import { accountOf, directoryOf } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import type { ConnectObjectCalls } from './calls.ts'
import { credentialIn, providerNotSetUpError } from './object.ts'
import { refusesToken, sendWithToken } from './outgoing.ts'
import { askedScopes } from './presets.ts'
import { revoke } from './revoke.ts'
import { type ConnectProvider, connectProviderOf } from './settings.ts'
import type { ConnectCalls, PendingConnection } from './types.ts'
import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'

const STATE_LIFETIME_MS = 600_000
const CODE_CHARS_MAX = 4096
const KEY_PATTERN = /^[\x21-\x7e]{1,4096}$/
const PROVIDER_ID_PATTERN = /^[a-z][a-z0-9]{1,30}$/
const SCOPES_MAX = 50

/** How linking ended. The app's page reads it from `?connect=`. */
type ConnectResult = 'linked' | 'cancelled' | 'failed' | 'expired'

export const handleConnections = rpcMethod<LiveContext, ConnectCalls>(connectHandlers)

function connectHandlers({ objects, tier, env }: LiveContext): AsyncHandlersOf<ConnectCalls> {
  const directory = directoryOf(objects, tier)
  const person = (session: unknown): Promise<SessionToken> => requirePerson(objects, tier, session)

  function providerOf(id: unknown, kind?: ConnectProvider['kind']): ConnectProvider {
    const provider =
      typeof id === 'string' && PROVIDER_ID_PATTERN.test(id) ? connectProviderOf(env, id) : null
    if (provider === null) throw providerNotSetUpError(textIn(id, 40))
    if (kind !== undefined && provider.kind !== kind)
      throw invalid(
        'provider',
        `is ${provider.kind === 'oauth' ? 'linked on its page' : 'linked with a key'}`,
      )
    return provider
  }

  async function callConnections<Kind extends keyof ConnectObjectCalls>(
    userId: unknown,
    kind: Kind,
    ask: ConnectObjectCalls[Kind]['ask'],
  ): Promise<ConnectObjectCalls[Kind]['answer']> {
    const id = textIn(userId, 40)
    if (!isUserId(id)) throw invalid('userId', 'must be the id of a user')
    return unwrapResult(await accountOf(objects, tier, id).connections(kind, ask))
  }

  /**
   * Stores a new grant. If that fails, revokes the grant, because it is stored nowhere else. Keeps the grant when the person has an earlier
   * connection.
   */
  async function keepGrant(
    userId: string,
    provider: ConnectProvider,
    granted: ReturnType<typeof credentialIn>,
  ): Promise<void> {
    try {
      await callConnections(userId, 'keep', { provider: provider.id, ...granted })
    } catch (error) {
      // Some services end all grants of a person at once, so revoking would break an earlier connection.
      const all = await callConnections(userId, 'list', null).catch(() => [])
      if (all.every((one) => one.provider !== provider.id)) await revoke(provider, granted.credential)
      throw error
    }
  }

  return {
    list: async ({ session }) => callConnections((await person(session)).userId, 'list', null),

    start: async ({ session, provider: id, scopes, origin, returnTo }) => {
      const provider = providerOf(id, 'oauth')
      const { userId, sessionId } = await person(session)
      if (await directory.users('isHeld', null)) throw heldError()
      const own = originIn(origin)
      const [state, verifier] = [newSecret(), newSecret()]
      const pending: PendingConnection = {
        provider: provider.id,
        verifier,
        redirectUri: new URL(`/_app/connect/${provider.id}/callback`, own).href,
        userId,
        sessionId,
        returnTo: returnAddress(returnTo, own, []),
      }
      const hash = sha256Hex(state)
      const payload = JSON.stringify(pending)
      await directory.users('issue', {
        purpose: 'connect',
        subject: hash,
        hash,
        payload,
        ttlMs: STATE_LIFETIME_MS,
      })
      const declared = Array.isArray(scopes) ? scopes.slice(0, SCOPES_MAX).map(String) : null
      const { redirectUri } = pending
      const { more = {} } = provider
      const asked = { ...provider, scopes: askedScopes(provider, declared) }
      return { url: authorizationUrl(asked, { redirectUri, state, verifier, more }) }
    },

    finish: async ({ session, provider: id, state, code }) => {
      const provider = providerOf(id, 'oauth')
      const hash = sha256Hex(textIn(state, 100))
      const payload = await directory.users('redeem', { purpose: 'connect', subject: hash, hash })
      const pending: PendingConnection | null = payload === null ? null : JSON.parse(payload)
      const holder = await person(session).catch(() => null)
      // Reject a state of another session: it would link one person's account to another person.
      if (
        pending?.provider !== provider.id ||
        pending.userId !== holder?.userId ||
        pending.sessionId !== holder.sessionId
      )
        return { to: '/?connect=expired' }
      const ended = (end: ConnectResult) => ({ to: withConnectResult(pending.returnTo, end) })
      if (code === '') return ended('cancelled')
      try {
        const answer = await redeem(provider, { ...pending, code: textIn(code, CODE_CHARS_MAX) })
        await keepGrant(pending.userId, provider, credentialIn(answer))
      } catch (error) {
        if (!(error instanceof ProviderError)) throw error
        // The provider's response may contain a token, so log only the step.
        logError(error, { route: 'connect', tier })
        return ended('failed')
      }
      return ended('linked')
    },

    saveKey: async ({ session, provider: id, key }) => {
      const { userId } = await person(session)
      const provider = providerOf(id, 'apiKey')
      if (typeof key !== 'string' || !KEY_PATTERN.test(key))
        throw invalid('key', 'must be a key without spaces')
      const credential = { token: key, refreshToken: null }
      return callConnections(userId, 'keep', { provider: provider.id, credential, expiresAt: null })
    },

    unlink: async ({ session, provider }) =>
      callConnections((await person(session)).userId, 'remove', { provider }),

    status: async ({ userId, provider }) => {
      const all = await callConnections(userId, 'list', null)
      return all.find((one) => one.provider === provider)?.status ?? null
    },

    fetch: async ({ userId, provider: id, request }) => {
      const service = providerOf(id)
      const provider = service.id
      let token = await callConnections(userId, 'token', { provider })
      for (const isLast of [false, true]) {
        const answer = await sendWithToken(service, token, request)
        if (!(await refusesToken(service, answer))) return answer
        await answer.body?.cancel()
        // The service rejected the token: it was revoked there, or expired earlier than announced. Get another token.
        token = await callConnections(userId, 'token', { provider, refused: token, isLast })
      }
      return sendWithToken(service, token, request)
    },
  }
}

function withConnectResult(address: string, end: ConnectResult): string {
  const url = new URL(address)
  url.searchParams.set('connect', end)
  return url.href
}
