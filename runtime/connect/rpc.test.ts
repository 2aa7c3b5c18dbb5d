import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { secretBinding, settingsBinding, VAULT_BINDING } from './settings.ts'
import type { ConnectCalls } from './types.ts'

const [ADA, BEN] = [userId('a'), userId('b')]
const ORIGIN = 'https://app.example.test'
const EXPIRED = { to: '/?connect=expired' }
const STATE_MS = 600_000
const NOT_SIGNED_IN = { code: 'unauthorized', message: 'Sign in first.' }
const HELD = {
  code: 'unavailable',
  message: 'The app is being moved and accepts no changes right now. Try again in a few minutes.',
}
const notSetUp = (id: string) => ({
  code: 'not_enabled',
  message: `${id} is not set up: its client id and secret are missing.`,
})
const invalid = (field: string, problem: string) => ({
  code: 'invalid_request',
  message: `${field}: ${problem}`,
  field,
})
const request = (path: string, change: object = {}) => ({
  method: 'GET',
  path,
  headers: [] as [string, string][],
  body: null,
  ...change,
})

interface Sent {
  line: string
  authorization: string | null
  body: string
}

describe('linking accounts of other services', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let ada: string
  let logged: ReturnType<typeof recordErrors>
  /** The requests to the services. */
  let sent: Sent[]
  /** Returns the response of a service. By default it grants the tokens `access 1`, `access 2` and so on. */
  let respond: (one: Sent) => Response | Promise<Response>
  let grants: number

  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    logged = recordErrors()
    const oauth = {
      kind: 'oauth',
      clientId: 'client',
      authorizeUrl: 'https://acme.test/authorize',
      tokenUrl: 'https://acme.test/token',
      apiBase: 'https://api.acme.test',
    }
    world = new ObjectWorld(modules, {
      [VAULT_BINDING]: randomBytes(32).toString('base64url'),
      [settingsBinding('acme')]: JSON.stringify({ id: 'acme', ...oauth }),
      [secretBinding('acme')]: 'secret',
      [settingsBinding('other')]: JSON.stringify({ id: 'other', ...oauth }),
      [secretBinding('other')]: 'secret',
      [settingsBinding('secretless')]: JSON.stringify({ id: 'secretless', ...oauth }),
      [settingsBinding('keyed')]: JSON.stringify({
        id: 'keyed',
        kind: 'apiKey',
        apiBase: 'https://keyed.test',
      }),
    })
    await world.release('r1', { name: 'App', collections: {}, migrations: [] })
    ada = await world.person(ADA)
    sent = []
    grants = 0
    respond = ({ line }) =>
      line.endsWith('/token')
        ? Response.json({ access_token: `access ${++grants}`, refresh_token: `refresh ${grants}` })
        : Response.json({ ok: true })
    replaceFetch(async (url: URL | string, init: RequestInit) => {
      const { body } = init
      const one = {
        line: `${init.method ?? 'GET'} ${String(url)}`,
        authorization: new Headers(init.headers).get('authorization'),
        body: body instanceof ArrayBuffer ? Buffer.from(body).toString() : String(body ?? ''),
      }
      sent.push(one)
      return respond(one)
    })
  })
  afterEach(restoreFetch)
  after(() => ObjectWorld.uninstall())

  const call = <Kind extends keyof ConnectCalls>(kind: Kind, ask: ConnectCalls[Kind]['ask']) =>
    world.run(world.tier().connections(kind, ask))
  async function valueOf<Kind extends keyof ConnectCalls>(
    kind: Kind,
    ask: ConnectCalls[Kind]['ask'],
  ): Promise<ConnectCalls[Kind]['answer']> {
    const answer = await call(kind, ask)
    return answer.ok ? answer.value : assert.fail(answer.error.message)
  }
  async function errorOf<Kind extends keyof ConnectCalls>(kind: Kind, ask: ConnectCalls[Kind]['ask']) {
    const answer = await call(kind, ask)
    return answer.ok ? null : answer.error
  }
  const start = { provider: 'acme', scopes: null, origin: ORIGIN, returnTo: '/settings?tab=2' }
  /** Begins to link an account. Returns the state that the service sends back. */
  async function begin(session = ada, change: Partial<typeof start> = {}): Promise<string> {
    const { url } = await valueOf('start', { session, ...start, ...change })
    return new URL(url).searchParams.get('state') ?? ''
  }
  const finish = (state: unknown, change: { session?: string; provider?: string; code?: string } = {}) =>
    valueOf('finish', { session: ada, provider: 'acme', code: 'a code', state: state as string, ...change })
  const link = async () => finish(await begin())
  const linked = async (session = ada) =>
    (await valueOf('list', { session })).map(({ provider, status }) => [provider, status])
  const fetchFor = async (change: object = {}, provider = 'acme') =>
    valueOf('fetch', { userId: ADA, provider, request: request('/me', change) })

  describe('beginning', () => {
    test("linking an account begins at the service's authorization page, with the declared scopes and the return address", async () => {
      const { url } = await valueOf('start', { session: ada, ...start, scopes: ['read', 'write'] })
      const { origin, pathname, searchParams } = new URL(url)
      const { state, code_challenge: challenge, ...query } = Object.fromEntries(searchParams)
      assert.deepEqual(
        [origin + pathname, query],
        [
          'https://acme.test/authorize',
          {
            response_type: 'code',
            client_id: 'client',
            redirect_uri: `${ORIGIN}/_app/connect/acme/callback`,
            scope: 'read write',
            code_challenge_method: 'S256',
          },
        ],
      )
      assert.match(`${state} ${challenge}`, /^[a-f0-9]{64} [\w-]{43}$/)
    })

    test('linking a service requests at most 50 OAuth scopes', async () => {
      const scopes = Array.from({ length: 60 }, (_, n) => `s${n}`)
      const { url } = await valueOf('start', { session: ada, ...start, scopes })
      assert.equal(new URL(url).searchParams.get('scope'), scopes.slice(0, 50).join(' '))
    })

    test('an OAuth link cannot be started for a service that is unknown, has no client secret or uses an API key', async () => {
      for (const provider of ['nowhere', 'secretless', 'ACME', '../x', '', 'x'.repeat(32)])
        assert.deepEqual(await errorOf('start', { session: ada, ...start, provider }), notSetUp(provider))
      assert.deepEqual(
        await errorOf('start', { session: ada, ...start, provider: 'x'.repeat(50) }),
        notSetUp('x'.repeat(40)),
      )
      assert.deepEqual(
        await errorOf('start', { session: ada, ...start, provider: 'keyed' }),
        invalid('provider', 'is linked with a key'),
      )
    })

    test('linking an account cannot begin without a session or a valid origin, or during a move to another cloud account', async () => {
      for (const origin of ['', 'app.example.test', `${ORIGIN}/path`, 'file:///x'])
        assert.deepEqual(
          await errorOf('start', { session: ada, ...start, origin }),
          invalid('origin', 'must be an origin'),
        )
      assert.deepEqual(await errorOf('start', { session: '', ...start }), NOT_SIGNED_IN)
      await world.run(world.stub('dir').hold(true))
      assert.deepEqual(await errorOf('start', { session: ada, ...start }), HELD)
    })
  })

  describe('returning', () => {
    test('after an account is linked, the person returns to the page where they began', async () => {
      const answer = await link()
      assert.deepEqual(answer, { to: `${ORIGIN}/settings?tab=2&connect=linked` })
      assert.deepEqual(await linked(), [['acme', 'linked']])
      assert.equal(sent[0]?.line, 'POST https://acme.test/token')
    })

    test('after linking, the return address has only the latest result, and an address on another site becomes the home page', async () => {
      const at = async (returnTo: string) => (await finish(await begin(ada, { returnTo }))).to
      assert.equal(await at('/a?connect=failed&b=1'), `${ORIGIN}/a?connect=linked&b=1`)
      for (const other of ['//evil.test', 'https://evil.test', '/\\evil.test', 'javascript:1', ''])
        assert.equal(await at(other), `${ORIGIN}/?connect=linked`)
    })

    test('an OAuth state works only once, and only for ten minutes', async () => {
      const state = await begin()
      const both = await Promise.all([finish(state), finish(state)])
      assert.deepEqual(both.map(({ to }) => to.includes('linked')).toSorted(), [false, true])
      const late = await begin()
      mock.timers.tick(STATE_MS + 1)
      assert.deepEqual(await finish(late), EXPIRED)
    })

    test('an OAuth state of another person, of another session of the same person, or of another service links nothing', async () => {
      const ben = await world.person(BEN)
      const own = world.stub(`data:${ADA}`)
      const { sessionId, secret } = await world.run(own.account('open', { device: '', days: 1 }))
      assert.deepEqual(await finish(await begin(), { session: ben }), EXPIRED)
      assert.deepEqual(await finish(await begin(), { session: `${ADA}.${sessionId}.${secret}` }), EXPIRED)
      assert.deepEqual(await finish(await begin(), { provider: 'other' }), EXPIRED)
      for (const state of ['', 'x', 'x'.repeat(5000), null, 5]) assert.deepEqual(await finish(state), EXPIRED)
      assert.deepEqual([await linked(), await linked(ben), sent], [[], [], []])
    })

    test('a person who signs out before returning from a service links no account', async () => {
      const state = await begin()
      await world.run(world.stub(`data:${ADA}`).account('endAll', { exceptId: null }))
      assert.deepEqual(await finish(state), EXPIRED)
      assert.deepEqual(await finish(state, { session: '' }), EXPIRED)
      assert.deepEqual(sent, [])
    })

    test('a person who cancels linking at the service returns with the reason, and no token is requested', async () => {
      assert.deepEqual(await finish(await begin(), { code: '' }), {
        to: `${ORIGIN}/settings?tab=2&connect=cancelled`,
      })
      assert.deepEqual([await linked(), sent], [[], []])
    })

    describe('when a grant cannot be stored', () => {
      const REVOCATION = 'POST https://acme.test/revoke'
      beforeEach(() => {
        const acme = JSON.parse(String(world.env[settingsBinding('acme')])) as object
        world.env[settingsBinding('acme')] = JSON.stringify({
          ...acme,
          revokeUrl: 'https://acme.test/revoke',
        })
      })
      /** Delays the end of the code exchange until the move to another cloud account has begun. */
      const holdDuringExchange = () => {
        const answer = respond
        respond = async (one) => {
          if (one.line.endsWith('/token')) await world.run(world.stub(`data:${ADA}`).hold(true))
          return answer(one)
        }
      }
      const finishError = async () =>
        errorOf('finish', { session: ada, provider: 'acme', code: 'a code', state: await begin() })

      test('a grant that cannot be stored is revoked at the service when the person had no connection to it', async () => {
        holdDuringExchange()
        assert.deepEqual(await finishError(), HELD)
        assert.deepEqual(
          sent.map(({ line }) => line),
          ['POST https://acme.test/token', REVOCATION],
        )
        assert.equal(new URLSearchParams(sent[1]?.body).get('token'), 'refresh 1')
      })

      test('a grant that cannot be stored is not revoked while an earlier connection exists, which revoking would also end', async () => {
        await link()
        holdDuringExchange()
        assert.deepEqual(await finishError(), HELD)
        assert.ok(sent.every(({ line }) => line !== REVOCATION))
        assert.deepEqual(await linked(), [['acme', 'linked']])
      })
    })

    test('no account is linked when the service refuses the code, and the log names only the failed step', async () => {
      const answers = [
        () => Response.json({ error: 'invalid_grant', error_description: 'secret token' }, { status: 400 }),
        () => new Response('<html>secret token</html>', { status: 500 }),
        () => Response.json({ access_token: 5, hint: 'secret token' }),
        () => Response.json(null),
        () => {
          throw new TypeError('fetch failed')
        },
      ]
      for (const answer of answers) {
        respond = answer
        assert.deepEqual(await finish(await begin()), { to: `${ORIGIN}/settings?tab=2&connect=failed` })
      }
      assert.deepEqual(await linked(), [])
      assert.deepEqual(logged, [
        { message: 'acme: refused (token)', route: 'connect' },
        { message: 'acme: refused (token)', route: 'connect' },
        { message: 'acme: no access token', route: 'connect' },
        { message: 'acme: refused (token)', route: 'connect' },
        { message: 'acme: no usable answer (token)', route: 'connect' },
      ])
    })
  })

  describe('using', () => {
    test("an app's request to a connected service is sent with the person's access token", async () => {
      await link()
      const body = new TextEncoder().encode('{"a":1}').buffer
      const answer = await fetchFor({ method: 'POST', body })
      assert.deepEqual([answer.status, await answer.json()], [200, { ok: true }])
      assert.deepEqual(sent.at(-1), {
        line: 'POST https://api.acme.test/me',
        authorization: 'Bearer access 1',
        body: '{"a":1}',
      })
    })

    test('a request whose access token the service refuses is sent again, with its body, after the token was renewed', async () => {
      await link()
      const grant = respond
      respond = (one) =>
        one.authorization === 'Bearer access 1' ? new Response('no', { status: 401 }) : grant(one)
      const body = new TextEncoder().encode('{"a":1}').buffer
      assert.equal((await fetchFor({ method: 'POST', body })).status, 200)
      assert.deepEqual(
        sent.slice(1).map(({ line, authorization }) => [line, authorization]),
        [
          ['POST https://api.acme.test/me', 'Bearer access 1'],
          ['POST https://acme.test/token', null],
          ['POST https://api.acme.test/me', 'Bearer access 2'],
        ],
      )
      assert.equal(sent.at(-1)?.body, '{"a":1}')
    })

    test('when a service also refuses the renewed token, the connection ends, and later requests do not reach the service', async () => {
      await link()
      const grant = respond
      respond = (one) => (one.line.endsWith('/token') ? grant(one) : new Response('no', { status: 401 }))
      const ended = {
        code: 'conflict',
        message: 'The connection to acme has ended: link it again.',
        field: 'provider',
      }
      const ask = { userId: ADA, provider: 'acme', request: request('/me') }
      assert.deepEqual(await errorOf('fetch', ask), ended)
      assert.deepEqual([await linked(), sent.length], [[['acme', 'broken']], 4])
      assert.equal(await valueOf('status', { userId: ADA, provider: 'acme' }), 'broken')
      assert.deepEqual(await errorOf('fetch', ask), ended)
      assert.equal(sent.length, 4)
    })

    test('a connected service request is refused for a person who has not linked the service or does not exist', async () => {
      const ask = (who: string, provider = 'acme') =>
        errorOf('fetch', { userId: who, provider, request: request('/me') })
      const notLinked = { code: 'conflict', message: 'This person has not linked acme.', field: 'provider' }
      assert.deepEqual(await ask(ADA), notLinked)
      assert.deepEqual(await ask(userId('z')), { code: 'not_found', message: 'There is no such user.' })
      for (const who of ['', 'ada', `${ADA}x`, 'app'])
        assert.deepEqual(await ask(who), invalid('userId', 'must be the id of a user'))
      assert.deepEqual(await ask(ADA, 'nowhere'), notSetUp('nowhere'))
      assert.deepEqual(sent, [])
    })

    test('the status of a service to which a person has linked no account is null', async () => {
      await link()
      assert.equal(await valueOf('status', { userId: ADA, provider: 'acme' }), 'linked')
      assert.equal(await valueOf('status', { userId: ADA, provider: 'other' }), null)
      assert.equal(await valueOf('status', { userId: ADA, provider: 'nowhere' }), null)
    })

    test("a person's API key for a service must have 1 to 4,096 visible characters, and a new key replaces the previous one", async () => {
      const save = (key: unknown, provider = 'keyed') => ({ session: ada, provider, key: key as string })
      for (const key of ['', 'a b', 'a\n', 'é', 'x'.repeat(4097), null, 5, ['x']])
        assert.deepEqual(await errorOf('saveKey', save(key)), invalid('key', 'must be a key without spaces'))
      assert.deepEqual(
        await errorOf('saveKey', save('k', 'acme')),
        invalid('provider', 'is linked on its page'),
      )
      assert.deepEqual(await errorOf('saveKey', { ...save('k'), session: '' }), NOT_SIGNED_IN)
      assert.deepEqual(await linked(), [])
      for (const key of ['x'.repeat(4096), '!~k']) {
        await valueOf('saveKey', save(key))
        await fetchFor({}, 'keyed')
        assert.equal(sent.at(-1)?.authorization, `Bearer ${key}`)
      }
      assert.deepEqual(await linked(), [['keyed', 'linked']])
    })

    test('unlinking removes only the named connection, even if the operator has removed its service', async () => {
      await link()
      await valueOf('saveKey', { session: ada, provider: 'keyed', key: 'k' })
      delete world.env[settingsBinding('keyed')]
      assert.deepEqual(await valueOf('unlink', { session: ada, provider: 'keyed' }), { revoked: false })
      assert.deepEqual(await valueOf('unlink', { session: ada, provider: 'nowhere' }), { revoked: false })
      assert.deepEqual(await linked(), [['acme', 'linked']])
      assert.deepEqual(await errorOf('unlink', { session: '', provider: 'acme' }), NOT_SIGNED_IN)
    })
  })
})
