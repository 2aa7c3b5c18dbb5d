import type { SyncStorage } from 'cloudflare:workers'
import { askToken, ProviderError } from '../auth/oauth-exchange.ts'
import { ApiError, noSuchUser, refusalOf } from '../kernel/errors.ts'
import type { Hold } from '../kernel/hold.ts'
import { logError } from '../kernel/log.ts'
import type { Tier } from '../kernel/objects.ts'
import type { ConnectObjectCalls, Credential } from './calls.ts'
import { revoke } from './revoke.ts'
import { type ConnectProvider, connectProviderOf } from './settings.ts'
import { ConnectionStore, type StoredConnection } from './store.ts'
import type { Connection } from './types.ts'
import { openVault } from './vault.ts'
import type { ResultOf, AsyncHandlersOf } from '../kernel/calls.ts'

/** A token is renewed this long before it expires, so that it is valid for the whole request. */
const EARLY_MS = 60_000
/** Errors by which providers say that a grant has ended for good. */
const ENDED = /^(invalid_grant|(bad|invalid)_refresh_token|token_(revoked|expired))$/

interface ConnectParts {
  storage: SyncStorage
  env: unknown
  tier: Tier
  userId: string
  hold: Hold
  /** Whether the person exists; nothing is stored for one who does not. */
  exists: () => boolean
  /** Tells the list of people which connections of the person are broken. */
  note: (broken: string[]) => Promise<void>
}

/** Only here are credentials opened. A token is renewed by one call at a time. */
export class ObjectConnections {
  readonly #parts: ConnectParts
  readonly #store: ConnectionStore
  readonly #renewals = new Map<string, Promise<string>>()

  constructor(parts: ConnectParts) {
    this.#parts = parts
    this.#store = new ConnectionStore(parts.storage)
  }

  async answer<Kind extends keyof ConnectObjectCalls>(
    kind: Kind,
    ask: ConnectObjectCalls[Kind]['ask'],
  ): Promise<ResultOf<ConnectObjectCalls, Kind>> {
    try {
      this.#requirePerson()
      return { ok: true, value: await this.#handlers[kind](ask) }
    } catch (error) {
      return refusalOf(error)
    }
  }

  #requirePerson(): void {
    if (!this.#parts.exists()) throw noSuchUser()
  }

  count(): number {
    return this.#store.all().length
  }

  /** They stay sealed: the key of the vault moves with the project's secrets. */
  dump(): StoredConnection[] | null {
    const all = this.#store.all()
    return all.length === 0 ? null : all
  }

  restore(connections: StoredConnection[]): void {
    for (const one of connections) this.#store.keep(one)
  }

  readonly #handlers: AsyncHandlersOf<ConnectObjectCalls> = {
    list: async () => this.#store.all().map(viewOf),

    keep: async ({ provider, credential, expiresAt }) => {
      this.#parts.hold.require()
      const sealed = await this.#seal(provider, credential)
      await this.#note(provider, false)
      // The person may have been erased meanwhile.
      this.#requirePerson()
      const linkedAt = new Date().toISOString()
      const stored: StoredConnection = { provider, sealed, expiresAt, status: 'linked', linkedAt }
      this.#store.keep(stored)
      return viewOf(stored)
    },

    remove: async ({ provider }) => {
      this.#parts.hold.require()
      return { revoked: await this.#remove(provider) }
    },

    removeAll: async () => {
      await Promise.all(this.#store.all().map(({ provider }) => this.#remove(provider)))
      return null
    },

    token: (ask) => this.#tokenInTurn(ask),
  }

  async #tokenInTurn(ask: ConnectObjectCalls['token']['ask']): Promise<string> {
    const { provider, refused } = ask
    for (let running = this.#renewals.get(provider); running; running = this.#renewals.get(provider)) {
      const token = await running
      if (token !== refused) return token
    }
    // One at a time from here on: two callers that spend one refresh token would end the grant.
    const asked = this.#token(ask).finally(() => this.#renewals.delete(provider))
    this.#renewals.set(provider, asked)
    return asked
  }

  async #token({ provider: id, refused, isLast }: ConnectObjectCalls['token']['ask']): Promise<string> {
    const stored = this.#store.find(id)
    if (stored === null) throw notUsable(`This person has not linked ${id}.`)
    const credential = stored.status === 'broken' ? null : await this.#open(stored)
    if (credential === null) throw await this.#broken(stored)
    const { token, refreshToken } = credential
    const isRefused = token === refused
    const leftMs = isRefused ? 0 : (stored.expiresAt ?? Infinity) - Date.now()
    if (leftMs > EARLY_MS) return token
    if (refreshToken !== null && !(isRefused && isLast)) return this.#renew(stored, credential, refreshToken)
    if (leftMs > 0) return token
    throw await this.#broken(stored)
  }

  async #renew(stored: StoredConnection, old: Credential, refreshToken: string): Promise<string> {
    // Renewing would spend the refresh token that is being moved.
    this.#parts.hold.require()
    const provider = this.#provider(stored.provider)
    if (provider === null) throw notSetUp(stored.provider)
    try {
      const answer = await askToken(provider, { grant_type: 'refresh_token', refresh_token: refreshToken })
      const { credential, expiresAt } = credentialIn(answer)
      // A provider that sends no new refresh token keeps the old one valid.
      const next = { ...credential, refreshToken: credential.refreshToken ?? old.refreshToken }
      this.#store.change(stored, { sealed: await this.#seal(stored.provider, next), expiresAt })
      return next.token
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error
      if (ENDED.test(error.refusal ?? '')) throw await this.#broken(stored)
      // The provider's response may hold a token, so only the step is logged.
      logError(error, { route: 'connect', tier: this.#parts.tier })
      throw new ApiError('unavailable', `${stored.provider} does not answer. Try again later.`)
    }
  }

  /** Returns whether the service has revoked it; it is removed here in any case. */
  async #remove(id: string): Promise<boolean> {
    const provider = this.#provider(id)
    // A service that cannot revoke by the refresh token takes only an access token that has not expired.
    const token = provider?.revokeForm && (await this.#tokenInTurn({ provider: id }).catch(() => null))
    const stored = this.#store.find(id)
    if (stored === null) return false
    const credential = await this.#open(stored).catch(() => null)
    // Revoked before it is removed, because afterwards the token is not known any more.
    const isRevoked = provider && credential && token !== null && (await revoke(provider, credential))
    // The cause may name the address with what was sent, so it is left out.
    if (isRevoked === false) logError(new Error(`${id}: was not revoked`), { route: 'connect' })
    await this.#note(id, false)
    this.#store.remove(stored)
    return isRevoked === true
  }

  /** Returns null when the key is gone. Seals again what an older key sealed. */
  async #open(stored: StoredConnection): Promise<Credential | null> {
    const opened = await openVault(this.#parts.env).open(this.#place(stored.provider), stored.sealed)
    if (opened === null) return null
    const credential = JSON.parse(opened.text) as Credential
    if (opened.isOld && !this.#parts.hold.isHeld) {
      const sealed = await this.#seal(stored.provider, credential)
      this.#store.change(stored, { sealed })
      stored.sealed = sealed
    }
    return credential
  }

  #seal(provider: string, credential: Credential): Promise<string> {
    return openVault(this.#parts.env).seal(this.#place(provider), JSON.stringify(credential))
  }

  #place(provider: string) {
    const { tier, userId } = this.#parts
    return { tier, userId, provider }
  }

  #provider(id: string): ConnectProvider | null {
    return connectProviderOf(this.#parts.env, id)
  }

  /** Called before the change is stored: if the process ends in between, the next call does both again. */
  #note(changed: string, isBroken: boolean): Promise<void> {
    const others = brokenOf(this.#store.all()).filter((provider) => provider !== changed)
    return this.#parts.note(isBroken ? [...others, changed] : others)
  }

  async #broken(stored: StoredConnection): Promise<ApiError> {
    if (stored.status !== 'broken') {
      await this.#note(stored.provider, true)
      this.#store.change(stored, { status: 'broken' })
    }
    return notUsable(`The connection to ${stored.provider} has ended: link it again.`)
  }
}

export const brokenOf = (all: readonly Connection[]): string[] =>
  all.filter(({ status }) => status === 'broken').map(({ provider }) => provider)

const viewOf = ({ provider, status, linkedAt }: StoredConnection): Connection => ({
  provider,
  status,
  linkedAt,
})

const notUsable = (message: string) => new ApiError('conflict', message, { field: 'provider' })

export const notSetUp = (id: string) =>
  new ApiError('not_enabled', `${id} is not set up: the operator gives its client id and secret.`)

/** `expiresAt` is in milliseconds since 1970; null when the provider names no lifetime. */
export function credentialIn(answer: Record<string, unknown> & { access_token: string }): {
  credential: Credential
  expiresAt: number | null
} {
  const { access_token: token, refresh_token: refreshToken, expires_in: seconds } = answer
  return {
    credential: { token, refreshToken: typeof refreshToken === 'string' ? refreshToken : null },
    expiresAt: typeof seconds === 'number' && seconds > 0 ? Date.now() + seconds * 1000 : null,
  }
}
