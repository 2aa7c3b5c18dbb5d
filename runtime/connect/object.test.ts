import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import type { ConnectObjectCalls, Credential } from './calls.ts'
import type { ObjectConnections } from './object.ts'
import { type ConnectProvider, secretBinding, settingsBinding, VAULT_BINDING } from './settings.ts'
import type { StoredConnection } from './store.ts'

const importObject = () => importInWorkerd(() => import('./object.ts'))
type Modules = Awaited<ReturnType<typeof importObject>>

const NOW = Date.parse('2026-11-20T10:30:00Z')
const LINKED_AT = '2026-11-20T10:30:00.000Z'
const MINUTE_MS = 60_000
const ENDED = {
  code: 'conflict',
  message: 'The connection to acme has ended: link it again.',
  field: 'provider',
}
const newVaultKey = () => randomBytes(32).toString('base64url')

/** The connections of one person, and the service `acme`, which responds as the test sets. */
class World {
  readonly storage = memoryStorage()
  readonly hold = new Hold(this.storage)
  /** The requests to the service, as path and fields. */
  readonly requests: [path: string, fields: Record<string, string>][] = []
  readonly notes: string[][] = []
  isPerson = true
  respond: (path: string, fields: Record<string, string>) => Response | Promise<Response> = () =>
    Response.json({ access_token: `access ${this.requests.length}`, expires_in: 3600 })
  note = async (broken: string[]) => void this.notes.push(broken)
  readonly env: Record<string, unknown> = { [VAULT_BINDING]: newVaultKey() }
  readonly #make: Modules['ObjectConnections']
  object!: ObjectConnections

  constructor(make: Modules['ObjectConnections']) {
    this.#make = make
    this.setUp('acme')
    this.restart()
    replaceFetch(async (url: string, init: RequestInit) => {
      const path = new URL(url).pathname
      const fields = Object.fromEntries(new URLSearchParams(init.body as URLSearchParams))
      this.requests.push([path, fields])
      return await this.respond(path, fields)
    })
  }

  /** Sets the operator's settings of a service. */
  setUp(id: string, more: Partial<ConnectProvider> = {}): void {
    const urls = { tokenUrl: `https://${id}.test/token`, revokeUrl: `https://${id}.test/revoke` }
    this.env[settingsBinding(id)] = JSON.stringify({
      id,
      kind: 'oauth',
      clientId: 'client',
      ...urls,
      ...more,
    })
    this.env[secretBinding(id)] = 'secret'
  }

  /** Restarts the object with only its stored data. */
  restart(): void {
    this.object = new this.#make({
      storage: this.storage,
      env: this.env,
      tier: 'production',
      userId: 'u_ada',
      hold: this.hold,
      exists: () => this.isPerson,
      note: (broken) => this.note(broken),
    })
  }

  ask<Kind extends keyof ConnectObjectCalls>(kind: Kind, ask: ConnectObjectCalls[Kind]['ask']) {
    return this.object.answer(kind, ask)
  }

  /** Stores a connection whose token expires after `leftMs`; null when the service named no lifetime. */
  async link(
    { token = 'first', refreshToken = 'refresh' }: Partial<Credential> = {},
    leftMs: number | null = MINUTE_MS,
    provider = 'acme',
  ): Promise<void> {
    const credential = { token, refreshToken }
    const expiresAt = leftMs === null ? null : Date.now() + leftMs
    const answer = await this.ask('keep', { provider, credential, expiresAt })
    assert.deepEqual(answer, {
      ok: true,
      value: { provider, status: 'linked', linkedAt: new Date().toISOString() },
    })
    this.notes.length = 0
  }

  token(more: { refused?: string; isLast?: boolean } = {}) {
    return this.ask('token', { provider: 'acme', ...more })
  }

  async statuses(): Promise<string[][]> {
    const answer = await this.ask('list', null)
    return answer.ok ? answer.value.map(({ provider, status }) => [provider, status]) : [[answer.error.code]]
  }

  /** The fields of the requests for a new token. */
  get renewals(): Record<string, string>[] {
    return this.requests.filter(([path]) => path === '/token').map(([, fields]) => fields)
  }
}

const refusal = (error: string) => Response.json({ error }, { status: 400 })
const value = (token: string) => ({ ok: true, value: token })
const failure = (error: object) => ({ ok: false, error })
const renewalOf = (refreshToken: string) => ({
  grant_type: 'refresh_token',
  refresh_token: refreshToken,
  client_id: 'client',
  client_secret: 'secret',
})

describe('the connected accounts of a person', () => {
  let modules: Modules
  let world: World
  let logged: string[]

  before(async () => {
    modules = await importObject()
  })
  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = []
    mock.method(console, 'error', (line: string) => void logged.push(line))
    world = new World(modules.ObjectConnections)
  })
  afterEach(() => {
    mock.timers.reset()
    mock.restoreAll()
    restoreFetch()
  })

  describe('getting a token', () => {
    test('an access token that is valid for more than a minute is returned without a request to the connected service', async () => {
      await world.link({}, MINUTE_MS + 1)
      assert.deepEqual(await world.token(), value('first'))
      await world.link({ token: 'forever' }, null)
      assert.deepEqual(await world.token(), value('forever'))
      assert.deepEqual(world.requests, [])
    })

    test('an access token that expires within a minute is renewed, and the new token is used until it expires', async () => {
      await world.link({}, MINUTE_MS)
      assert.deepEqual(await world.token(), value('access 1'))
      assert.deepEqual(world.requests, [['/token', renewalOf('refresh')]])
      world.restart()
      mock.timers.tick(3600_000 - MINUTE_MS - 1)
      assert.deepEqual(await world.token(), value('access 1'))
      mock.timers.tick(1)
      assert.deepEqual(await world.token(), value('access 2'))
    })

    test('a refresh token stays in use until the service sends a new refresh token that is not empty', async () => {
      await world.link({}, 0)
      const answers = [{ refresh_token: '' }, { refresh_token: null }, { refresh_token: 'second' }, {}, {}]
      for (const more of answers) {
        world.respond = () => Response.json({ access_token: 'short', expires_in: 1, ...more })
        assert.deepEqual(await world.token(), value('short'))
      }
      assert.deepEqual(
        world.renewals.map(({ refresh_token }) => refresh_token),
        ['refresh', 'refresh', 'refresh', 'second', 'second'],
      )
    })

    test('concurrent calls share one token renewal, and a call that reports the renewed token as rejected starts the next', async () => {
      await world.link({}, 0)
      const answers = await Promise.all([
        world.token(),
        world.token({ refused: 'first' }),
        world.token({ refused: 'access 1' }),
        world.token({ refused: 'access 1' }),
      ])
      assert.deepEqual(answers, ['access 1', 'access 1', 'access 2', 'access 2'].map(value))
      assert.equal(world.renewals.length, 2)
    })

    test('calls that share a failed token renewal get the same error, and the next call tries again', async () => {
      await world.link({}, 0)
      world.respond = () => new Response('busy', { status: 503 })
      const unavailable = failure({ code: 'unavailable', message: 'acme does not respond. Try again later.' })
      assert.deepEqual(await Promise.all([world.token(), world.token()]), [unavailable, unavailable])
      assert.equal(world.renewals.length, 1)
      world.respond = () => Response.json({ access_token: 'late' })
      assert.deepEqual(await world.token(), value('late'))
      assert.deepEqual(await world.statuses(), [['acme', 'linked']])
    })

    test('an access token that a service rejects is renewed before it expires, and a second rejection breaks the connection', async () => {
      await world.link({}, null)
      assert.deepEqual(await world.token({ refused: 'first' }), value('access 1'))
      assert.deepEqual(await world.token({ refused: 'access 1', isLast: true }), failure(ENDED))
      assert.deepEqual([world.notes, await world.statuses()], [[['acme']], [['acme', 'broken']]])
      assert.equal(world.renewals.length, 1)
    })

    test('rejecting an access token that was renewed in the meantime does not break the connection', async () => {
      await world.link({}, 0)
      await world.token()
      assert.deepEqual(await world.token({ refused: 'first', isLast: true }), value('access 1'))
      assert.deepEqual(await world.statuses(), [['acme', 'linked']])
    })

    test('without a refresh token, an access token is used until it expires or is rejected, which breaks the connection', async () => {
      await world.link({ refreshToken: null }, 1)
      assert.deepEqual(await world.token(), value('first'))
      mock.timers.tick(1)
      assert.deepEqual(await world.token(), failure(ENDED))
      await world.link({ refreshToken: null }, null)
      assert.deepEqual(await world.token({ refused: 'first' }), failure(ENDED))
      assert.deepEqual(world.requests, [])
    })

    for (const error of [
      'invalid_grant',
      'bad_refresh_token',
      'invalid_refresh_token',
      'token_revoked',
      'token_expired',
    ])
      test(`a connected account is marked as broken when the service refuses its refresh token with ${error}`, async () => {
        await world.link({}, 0)
        world.respond = () => refusal(error)
        assert.deepEqual([await world.token(), await world.token()], [failure(ENDED), failure(ENDED)])
        assert.deepEqual([world.renewals.length, world.notes], [1, [['acme']]])
        assert.deepEqual([await world.statuses(), logged], [[['acme', 'broken']], []])
      })

    test('a failed token renewal that does not prove the grant ended keeps the connection, and logs nothing of the response', async () => {
      await world.link({}, 0)
      const responses = [
        () => refusal('invalid_client'),
        () => refusal('not_an_invalid_grant'),
        () => Response.json({ token: 'secret-token' }),
        () => new Response('<html>secret-token</html>'),
        () => Response.json([]),
        () => Response.redirect('https://elsewhere.test/'),
        () => Promise.reject(new TypeError('secret-token')),
      ]
      for (const respond of responses) {
        world.respond = respond
        const unavailable = { code: 'unavailable', message: 'acme does not respond. Try again later.' }
        assert.deepEqual(await world.token(), failure(unavailable))
      }
      assert.deepEqual([world.notes, await world.statuses()], [[], [['acme', 'linked']]])
      assert.deepEqual(
        logged.map((line) => (JSON.parse(line) as { message: string }).message),
        [
          'acme: refused (token)',
          'acme: refused (token)',
          'acme: no access token',
          'acme: no usable answer (token)',
          'acme: no access token',
          'acme: refused (token)',
          'acme: no usable answer (token)',
        ],
      )
      assert.doesNotMatch(logged.join(), /secret-token/)
    })

    test('an access token request fails with conflict for a service never linked, and with not_enabled for a removed one', async () => {
      const notLinked = { code: 'conflict', message: 'This person has not linked acme.', field: 'provider' }
      assert.deepEqual(await world.token(), failure(notLinked))
      await world.link({}, 0)
      delete world.env[secretBinding('acme')]
      const message = 'acme is not set up: its client id and secret are missing.'
      assert.deepEqual(await world.token(), failure({ code: 'not_enabled', message }))
      assert.deepEqual(await world.statuses(), [['acme', 'linked']])
    })

    test('a connected account whose encryption key no longer exists is marked as broken', async () => {
      await world.link({}, null)
      world.env[VAULT_BINDING] = newVaultKey()
      assert.deepEqual(await world.token(), failure(ENDED))
      assert.deepEqual([world.notes, await world.statuses()], [[['acme']], [['acme', 'broken']]])
    })

    test('a credential encrypted with an old key is encrypted with the newest one, except during a move to another account', async () => {
      await world.link({}, null)
      const sealed = () => world.object.dump()?.[0]?.sealed
      const [before, newKey] = [sealed(), newVaultKey()]
      world.env[VAULT_BINDING] = `${newKey} ${String(world.env[VAULT_BINDING])}`
      world.hold.set(true)
      assert.deepEqual([await world.token(), sealed()], [value('first'), before])
      world.hold.set(false)
      assert.deepEqual(await world.token(), value('first'))
      world.env[VAULT_BINDING] = newKey
      assert.deepEqual(await world.token(), value('first'))
    })
  })

  describe('a change during a renewal', () => {
    /** Begins a renewal. The service responds to it once the test calls `end`. */
    const beginRenewal = async () => {
      await world.link({}, 0)
      const { promise, resolve: end } = Promise.withResolvers<Response>()
      const started = Promise.withResolvers<void>()
      world.respond = (path) => {
        if (path !== '/token') return new Response()
        started.resolve()
        return promise
      }
      const token = world.token()
      await started.promise
      return { token, end }
    }

    test('a refused token renewal does not break a connection that the person has linked again in the meantime', async () => {
      const { token, end } = await beginRenewal()
      await world.link({ token: 'linked again' }, null)
      end(refusal('invalid_grant'))
      assert.deepEqual(await token, value('linked again'))
      assert.deepEqual([world.notes, await world.statuses()], [[], [['acme', 'linked']]])
    })

    test('a token renewal does not replace the credential of a connection that was linked again in the meantime', async () => {
      const { token, end } = await beginRenewal()
      await world.link({ token: 'linked again' }, null)
      end(Response.json({ access_token: 'of the former' }))
      assert.deepEqual(await token, value('of the former'))
      assert.deepEqual(await world.token(), value('linked again'))
    })

    test('unlinking an account waits for a token renewal under way, and revokes the refresh token that it returned', async () => {
      const { token, end } = await beginRenewal()
      const removed = world.ask('remove', { provider: 'acme' })
      end(Response.json({ access_token: 'second', refresh_token: 'rotated' }))
      assert.deepEqual(await token, value('second'))
      assert.deepEqual(await removed, { ok: true, value: { revoked: true } })
      assert.equal(world.requests.find(([path]) => path === '/revoke')?.[1]['token'], 'rotated')
      assert.deepEqual([world.object.dump(), world.notes], [null, [[]]])
    })
  })

  describe('linking and unlinking', () => {
    test('no connection is stored for a person who was erased while the service responded', async () => {
      world.note = async () => void (world.isPerson = false)
      const credential = { token: 'a', refreshToken: null }
      const noUser = failure({ code: 'not_found', message: 'There is no such user.' })
      assert.deepEqual(await world.ask('keep', { provider: 'acme', credential, expiresAt: null }), noUser)
      assert.deepEqual([await world.ask('list', null), world.object.count()], [noUser, 0])
    })

    test('linking a service again repairs its broken connection, and other connections stay broken in the list of people', async () => {
      for (const provider of ['acme', 'other']) {
        world.setUp(provider)
        await world.link({ refreshToken: null }, 0, provider)
        await world.ask('token', { provider })
      }
      assert.deepEqual(world.notes, [['acme', 'other']])
      mock.timers.tick(1000)
      const credential = { token: 'again', refreshToken: null }
      const kept = await world.ask('keep', { provider: 'acme', credential, expiresAt: null })
      const linkedAt = '2026-11-20T10:30:01.000Z'
      assert.deepEqual(kept, { ok: true, value: { provider: 'acme', status: 'linked', linkedAt } })
      assert.deepEqual(world.notes.at(-1), ['other'])
      const other = { provider: 'other', status: 'broken', linkedAt: LINKED_AT }
      assert.deepEqual(await world.ask('list', null), {
        ok: true,
        value: [{ provider: 'acme', status: 'linked', linkedAt }, other],
      })
    })

    test('a connected account is marked as broken in the list of people first, and a failed update is repeated at the next call', async () => {
      await world.link({}, 0)
      world.respond = () => refusal('invalid_grant')
      world.note = () => Promise.reject(new Error('The object was reset.'))
      await assert.rejects(world.token(), { message: 'The object was reset.' })
      assert.deepEqual(await world.statuses(), [['acme', 'linked']])
      world.note = async (broken) => void world.notes.push(broken)
      assert.deepEqual(await world.token(), failure(ENDED))
      assert.deepEqual([world.notes, await world.statuses()], [[['acme']], [['acme', 'broken']]])
    })

    test('unlinking an account revokes its grant and removes its connection, and repeating it sends no request', async () => {
      await world.link()
      world.respond = () => new Response()
      assert.deepEqual(await world.ask('remove', { provider: 'acme' }), {
        ok: true,
        value: { revoked: true },
      })
      const token = { token: 'refresh', token_type_hint: 'refresh_token' }
      const client = { client_id: 'client', client_secret: 'secret' }
      assert.deepEqual(world.requests, [['/revoke', { ...token, ...client }]])
      assert.deepEqual([await world.statuses(), world.notes], [[], [[]]])
      assert.deepEqual(await world.ask('remove', { provider: 'acme' }), {
        ok: true,
        value: { revoked: false },
      })
      assert.equal(world.requests.length, 1)
    })

    test('unlinking removes a connection even if its grant cannot be revoked or its credential cannot be read', async () => {
      const breakIt: Record<string, () => void> = {
        'the service is down': () => void (world.respond = () => Promise.reject(new Error('down'))),
        'the service refuses': () => void (world.respond = () => new Response('', { status: 401 })),
        'the service is not set up': () => void delete world.env[secretBinding('acme')],
        'the key no longer exists': () => void (world.env[VAULT_BINDING] = newVaultKey()),
      }
      for (const [why, breakWorld] of Object.entries(breakIt)) {
        world = new World(modules.ObjectConnections)
        await world.link()
        breakWorld()
        assert.deepEqual(
          await world.ask('remove', { provider: 'acme' }),
          { ok: true, value: { revoked: false } },
          why,
        )
        assert.equal(world.object.count(), 0, why)
      }
      assert.deepEqual(
        logged.map((line) => (JSON.parse(line) as { message: string }).message),
        ['acme: was not revoked', 'acme: was not revoked'],
      )
    })

    test('when a service revokes only with a valid access token, unlinking renews the expired token first', async () => {
      world.setUp('acme', { revokeForm: 'bearer' })
      await world.link({}, 0)
      assert.deepEqual(await world.ask('remove', { provider: 'acme' }), {
        ok: true,
        value: { revoked: true },
      })
      assert.deepEqual(
        world.requests.map(([path]) => path),
        ['/token', '/revoke'],
      )
    })

    test('erasing a person revokes and removes all their connections, even during a move to another cloud account', async () => {
      world.setUp('other')
      await world.link()
      await world.link({ refreshToken: 'of the other' }, null, 'other')
      world.hold.set(true)
      assert.deepEqual(await world.ask('removeAll', null), { ok: true, value: null })
      assert.deepEqual(world.requests.map(([, { token }]) => token).toSorted(), ['of the other', 'refresh'])
      assert.deepEqual([world.object.count(), world.object.dump()], [0, null])
    })
  })

  describe('the move of an app', () => {
    test('moving an app to another cloud account copies the connections encrypted, and the app can use them in the new account', async () => {
      assert.equal(world.object.dump(), null)
      await world.link({}, null)
      const dump: StoredConnection[] = world.object.dump() ?? assert.fail()
      assert.deepEqual(
        dump.map(({ sealed: _sealed, ...rest }) => rest),
        [{ provider: 'acme', expiresAt: null, status: 'linked', linkedAt: LINKED_AT }],
      )
      assert.doesNotMatch(JSON.stringify(dump), /first|refresh/)
      const other = new World(modules.ObjectConnections)
      other.env[VAULT_BINDING] = world.env[VAULT_BINDING]
      for (let time = 0; time < 2; time++) other.object.restore(dump)
      assert.deepEqual([other.object.count(), await other.token()], [1, value('first')])
    })

    test('while an app is being moved to another cloud account, connections cannot be changed and no refresh token is used up', async () => {
      await world.link({}, MINUTE_MS + 1)
      world.hold.set(true)
      const held = failure({
        code: 'unavailable',
        message: 'The app is being moved and accepts no changes right now. Try again in a few minutes.',
      })
      const credential = { token: 'a', refreshToken: null }
      assert.deepEqual(await world.ask('keep', { provider: 'acme', credential, expiresAt: null }), held)
      assert.deepEqual(await world.ask('remove', { provider: 'acme' }), held)
      assert.deepEqual(await world.token(), value('first'))
      assert.deepEqual(await world.token({ refused: 'first' }), held)
      assert.deepEqual([world.requests, await world.statuses()], [[], [['acme', 'linked']]])
    })
  })

  test("an access token's lifetime counts from its arrival, and without a usable lifetime the token never expires", () => {
    const lifetimeOf = (more: object) => modules.credentialIn({ access_token: 'a', ...more })
    assert.deepEqual(lifetimeOf({ refresh_token: 'r', expires_in: 3600 }), {
      credential: { token: 'a', refreshToken: 'r' },
      expiresAt: NOW + 3_600_000,
    })
    for (const seconds of [undefined, null, 0, -1, '3600', {}])
      assert.deepEqual(lifetimeOf({ refresh_token: 5, expires_in: seconds }), {
        credential: { token: 'a', refreshToken: null },
        expiresAt: null,
      })
  })
})
