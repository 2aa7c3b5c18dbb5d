import type { SyncStorage } from 'cloudflare:workers'
import { askToken, ProviderError } from '../auth/sign-in/oauth-exchange.ts'
import { ApiError, noSuchUser, failureAnswer } from '../kernel/errors.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import { logError } from '../kernel/objects/log.ts'
import type { Tier } from '../kernel/objects/objects.ts'
import type { ConnectObjectCalls, Credential } from './calls.ts'
import { revoke } from './revoke.ts'
import { type ConnectProvider, connectProviderOf } from './settings.ts'
import { ConnectionStore, type StoredConnection } from './store.ts'
import type { Connection } from './types.ts'
import { openVault } from './vault.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/objects/calls.ts'

/** Tokens are renewed this long before they expire, so that a token is valid for a whole request. */
const RENEWAL_LEAD_MS = 60_000
/** Error codes with which providers report that they will never accept this refresh token again. */
const GRANT_ENDED = /^(invalid_grant|(bad|invalid)_refresh_token|token_(revoked|expired))$/

interface ConnectDeps {
  storage: SyncStorage
  env: unknown
  tier: Tier
  userId: string
  hold: Hold
  /** Returns whether the person exists. Nothing is stored for a person who does not exist. */
  exists: () => boolean
  /** Stores in the list of people which connections of the person are broken. */
  note: (broken: string[]) => Promise<void>
}

/** The connections of one person. Only this class decrypts credentials. Only one renewal of a token runs at a time. */
export class ObjectConnections {
  readonly #deps: ConnectDeps
  readonly #store: ConnectionStore
  readonly #renewals = new Map<string, Promise<string>>()

  constructor(deps: ConnectDeps) {
    this.#deps = deps
    this.#store = new ConnectionStore(deps.storage)
  }

  async answer<Kind extends keyof ConnectObjectCalls>(
    kind: Kind,
    ask: ConnectObjectCalls[Kind]['ask'],
  ): Promise<ResultOf<ConnectObjectCalls, Kind>> {
    try {
      this.#requirePerson()
      return { ok: true, value: await this.#handlers[kind](ask) }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  #requirePerson(): void {
    if (!this.#deps.exists()) throw noSuchUser()
  }

  count(): number {
    return this.#store.all().length
  }

  /** Returns the connections for a move to another cloud account, with encrypted credentials; null when there are none. */
  dump(): StoredConnection[] | null {
    const all = this.#store.all()
    return all.length === 0 ? null : all
  }

  restore(connections: StoredConnection[]): void {
    for (const one of connections) this.#store.keep(one)
  }

  readonly #handlers: AsyncHandlersOf<ConnectObjectCalls> = {
    list: async () => this.#store.all().map(toConnection),

    keep: async ({ provider, credential, expiresAt }) => {
      this.#deps.hold.require()
      const sealed = await this.#encryptCredential(provider, credential)
      await this.#noteBroken(provider, false)
      // The person may have been erased during the exchange.
      this.#requirePerson()
      const linkedAt = new Date().toISOString()
      const stored: StoredConnection = { provider, sealed, expiresAt, status: 'linked', linkedAt }
      this.#store.keep(stored)
      return toConnection(stored)
    },

    remove: async ({ provider }) => {
      this.#deps.hold.require()
      return { revoked: await this.#removeConnection(provider) }
    },

    removeAll: async () => {
      await Promise.all(this.#store.all().map(({ provider }) => this.#removeConnection(provider)))
      return null
    },

    token: (ask) => this.#tokenWithSharedRenewal(ask),
  }

  async #tokenWithSharedRenewal(ask: ConnectObjectCalls['token']['ask']): Promise<string> {
    const { provider, refused } = ask
    for (let running = this.#renewals.get(provider); running; running = this.#renewals.get(provider)) {
      const token = await running
      if (token !== refused) return token
    }
    // Concurrent callers share one renewal: using a refresh token twice would end the grant.
    const asked = this.#accessToken(ask).finally(() => this.#renewals.delete(provider))
    this.#renewals.set(provider, asked)
    return asked
  }

  async #accessToken({ provider: id, refused, isLast }: ConnectObjectCalls['token']['ask']): Promise<string> {
    const stored = this.#store.find(id)
    if (stored === null) throw notUsable(`This person has not linked ${id}.`)
    const credential = stored.status === 'broken' ? null : await this.#decryptCredential(stored)
    if (credential === null) throw await this.#markBroken(stored)
    const { token, refreshToken } = credential
    const isRefused = token === refused
    const leftMs = isRefused ? 0 : (stored.expiresAt ?? Infinity) - Date.now()
    if (leftMs > RENEWAL_LEAD_MS) return token
    if (refreshToken !== null && !(isRefused && isLast))
      return this.#renewToken(stored, credential, refreshToken)
    if (leftMs > 0) return token
    throw await this.#markBroken(stored)
  }

  async #renewToken(stored: StoredConnection, old: Credential, refreshToken: string): Promise<string> {
    // While the app is being moved, renewing would use up the refresh token that is copied.
    this.#deps.hold.require()
    const provider = this.#providerOf(stored.provider)
    if (provider === null) throw providerNotSetUpError(stored.provider)
    try {
      const answer = await askToken(provider, { grant_type: 'refresh_token', refresh_token: refreshToken })
      const { credential, expiresAt } = credentialIn(answer)
      // When the provider sends no new refresh token, the old refresh token stays valid.
      const next = { ...credential, refreshToken: credential.refreshToken ?? old.refreshToken }
      this.#store.change(stored, { sealed: await this.#encryptCredential(stored.provider, next), expiresAt })
      return next.token
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (GRANT_ENDED.test(error.refusal ?? '')) {
        // The refusal says nothing about a connection that the person has made since.
        const isLinkedAgain = this.#store.find(stored.provider)?.sealed !== stored.sealed
        if (isLinkedAgain) return this.#accessToken({ provider: stored.provider })
        throw await this.#markBroken(stored)
      }
      // The provider's response may contain a token, so log only the step.
      logError(error, { route: 'connect', tier: this.#deps.tier })
      throw new ApiError('unavailable', `${stored.provider} does not respond. Try again later.`)
    }
  }

  /** Removes the connection, even when the service does not revoke the grant. Returns whether the service revoked it. */
  async #removeConnection(id: string): Promise<boolean> {
    const provider = this.#providerOf(id)
    // A service with a `revokeForm` revokes only by an access token that has not expired, so get a valid token.
    const token =
      provider?.revokeForm && (await this.#tokenWithSharedRenewal({ provider: id }).catch(() => null))
    // A renewal that is under way replaces the refresh token to revoke.
    await this.#renewals.get(id)?.catch(() => {})
    const stored = this.#store.find(id)
    if (stored === null) return false
    const credential = await this.#decryptCredential(stored).catch(() => null)
    // Revoke before deleting, because revoking needs the token.
    const isRevoked = provider && credential && token !== null && (await revoke(provider, credential))
    // Log without the cause, which may contain an address with the token.
    if (isRevoked === false) logError(new Error(`${id}: was not revoked`), { route: 'connect' })
    await this.#noteBroken(id, false)
    this.#store.remove(stored)
    return isRevoked === true
  }

  /** Decrypts a credential; returns null when its key no longer exists. Encrypts it again when an older key was used. */
  async #decryptCredential(stored: StoredConnection): Promise<Credential | null> {
    const opened = await openVault(this.#deps.env).open(this.#vaultPlace(stored.provider), stored.sealed)
    if (opened === null) return null
    const credential = JSON.parse(opened.text) as Credential
    if (opened.isOld && !this.#deps.hold.isHeld) {
      const sealed = await this.#encryptCredential(stored.provider, credential)
      this.#store.change(stored, { sealed })
      stored.sealed = sealed
    }
    return credential
  }

  #encryptCredential(provider: string, credential: Credential): Promise<string> {
    return openVault(this.#deps.env).seal(this.#vaultPlace(provider), JSON.stringify(credential))
  }

  #vaultPlace(provider: string) {
    const { tier, userId } = this.#deps
    return { tier, userId, provider }
  }

  #providerOf(id: string): ConnectProvider | null {
    return connectProviderOf(this.#deps.env, id)
  }

  /** Updates the list of people. Called before the change is stored, so that after an interruption the next call repeats both steps. */
  #noteBroken(changed: string, isBroken: boolean): Promise<void> {
    const others = brokenProviders(this.#store.all()).filter((provider) => provider !== changed)
    return this.#deps.note(isBroken ? [...others, changed] : others)
  }

  async #markBroken(stored: StoredConnection): Promise<ApiError> {
    if (stored.status !== 'broken') {
      await this.#noteBroken(stored.provider, true)
      this.#store.change(stored, { status: 'broken' })
    }
    return notUsable(`The connection to ${stored.provider} has ended: link it again.`)
  }
}

export const brokenProviders = (all: readonly Connection[]): string[] =>
  all.filter(({ status }) => status === 'broken').map(({ provider }) => provider)

const toConnection = ({ provider, status, linkedAt }: StoredConnection): Connection => ({
  provider,
  status,
  linkedAt,
})

const notUsable = (message: string) => new ApiError('conflict', message, { field: 'provider' })

export const providerNotSetUpError = (id: string) =>
  new ApiError('not_enabled', `${id} is not set up: its client id and secret are missing.`)

/** `expiresAt` is in milliseconds since 1970; null when the provider names no lifetime. */
export function credentialIn(answer: Record<string, unknown> & { access_token: string }): {
  credential: Credential
  expiresAt: number | null
} {
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer
  return {
    // Some services send an empty string for "no new refresh token".
    credential: {
      token,
      refreshToken: typeof refreshToken === 'string' && refreshToken !== '' ? refreshToken : null,
    },
    expiresAt: typeof seconds === 'number' && seconds > 0 ? Date.now() + seconds * 1000 : null,
  }
}
