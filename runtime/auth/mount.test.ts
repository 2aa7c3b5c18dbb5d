import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { Hono } from 'hono'
import { CAPABILITY_KEYS } from '../capabilities.ts'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { Tier } from '../kernel/objects/objects.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { DAY_MS } from '../kernel/durations.ts'

const ADA = userId('a')
const EMAIL = `${ADA}@example.test`
const ORIGIN = 'https://app.example.test'
const SESSION = '__Host-app_session'
const TICKET = '__Host-app_oauth'
const ENDED = `${SESSION}=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0`
const NO_TICKET = `${TICKET}=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0`
const NOT_SIGNED_IN = { ok: false, error: { code: 'unauthorized', message: 'Sign in first.' } }
const invalid = (field: string, problem: string) => ({
  ok: false,
  error: { code: 'invalid_request', message: `${field}: ${problem}`, field },
})
const PROVIDER = {
  id: 'club',
  title: 'Club',
  clientId: 'app',
  authorizeUrl: 'https://club.test/authorize',
  tokenUrl: 'https://club.test/token',
  userInfoUrl: 'https://club.test/user',
  scopes: ['email'],
}
const importMount = () =>
  importInWorkerd(() => Promise.all([import('./mount.ts'), import('../kernel/worker/envelope.ts')]))

describe('the sign-in routes', () => {
  let modules: ObjectModules
  let routes: Hono
  let world: ObjectWorld
  /** The value of Ada's session cookie. */
  let ada: string
  before(async () => {
    modules = await importObjects()
    const [{ mount }, { errorResponse }] = await importMount()
    routes = new Hono().route('/', mount.routes).onError((error, c) => errorResponse(error, c.req.path))
  })
  beforeEach(() => serve())
  afterEach(restoreFetch)
  after(() => {
    ObjectWorld.uninstall()
    for (const name of ['APP_TIER', 'LIVE']) delete workerEnv[name]
    enableCapabilities()
  })

  async function serve(tier: Tier = 'production'): Promise<void> {
    ObjectWorld.install()
    world = new ObjectWorld(modules, {
      AUTH_CODE_KEY: 'key',
      AUTH_EMAIL_CODE: 'on',
      AUTH_PASSKEY: 'on',
      AUTH_PROVIDER_CLUB: JSON.stringify(PROVIDER),
      AUTH_CLUB_SECRET: 'secret',
    })
    await world.release('r1', { name: 'App', collections: {}, migrations: [] }, tier)
    ada = await world.person(ADA, { tier })
    enableCapabilities(...CAPABILITY_KEYS)
    Object.assign(workerEnv, { APP_TIER: tier, LIVE: world.tier(tier) })
  }

  interface Given {
    session?: string | undefined
    cookies?: string
    body?: unknown
    headers?: Record<string, string>
  }
  async function ask(line: string, { session, cookies = '', body, headers = {} }: Given = {}) {
    const [method = '', path = ''] = line.split(' ')
    const cookie = `${session === undefined ? '' : `${SESSION}=${session}; `}${cookies}`
    const answer = await world.run(
      Promise.resolve(
        routes.request(`${ORIGIN}${path}`, {
          method,
          headers: { cookie, ...headers },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }),
      ),
    )
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      location: answer.headers.get('location'),
      cookies: answer.headers.getSetCookie(),
      /** The parsed body with its envelope; null for a response without a body, such as a redirect. */
      json:
        text === '' ? null : (JSON.parse(text) as { data?: unknown; preview?: { mail: { text: string }[] } }),
    }
  }

  describe('cookies', () => {
    test('a session token is sent only in a cookie that scripts cannot read, and never in a response body', async () => {
      await serve('preview')
      const sent = await ask('POST /code', { body: { email: EMAIL } })
      const code = /\d{6}/.exec(sent.json?.preview?.mail[0]?.text ?? '')?.[0]
      const { json, cookies, text } = await ask('POST /code/confirm', { body: { email: EMAIL, code } })
      const [cookie = ''] = cookies
      const [, token = ''] =
        /^__Host-app_session=([^;]+); Path=\/; HttpOnly; SameSite=None; Secure; Partitioned; Expires=/.exec(
          cookie,
        ) ?? []
      assert.match(token, new RegExp(`^${ADA}\\.[a-f0-9]{16}\\.[a-f0-9]{64}$`))
      assert.ok(!text.includes(token.slice(-64)))
      assert.equal(cookies.length, 1)
      const data = json?.data as { user: object } | undefined
      const me = await ask('GET /me', { session: token })
      assert.deepEqual([me.json, me.cookies], [{ ok: true, data: data?.user }, []])
    })

    test('the live app does not return the text of the mails that it sends', async () => {
      const { json } = await ask('POST /code', { body: { email: EMAIL } })
      assert.deepEqual(json, { ok: true, data: { sent: true } })
    })

    test("a request without a valid session counts as a visitor's, and an invalid session cookie is removed", async () => {
      assert.deepEqual(await ask('GET /me').then(({ json, cookies }) => [json, cookies]), [
        { ok: true, data: null },
        [],
      ])
      const invalidSessions = ['', 'x', ada.slice(0, -1), `${ADA}.${'0'.repeat(16)}.${'0'.repeat(64)}`]
      for (const session of invalidSessions) {
        const { json, cookies } = await ask('GET /me', { session })
        assert.deepEqual([json, cookies], [{ ok: true, data: null }, [ENDED]])
      }
    })

    test("an account session with less than half of its time left is extended at the person's next visit", async () => {
      assert.deepEqual((await ask('GET /me', { session: ada })).cookies, [])
      mock.timers.tick(286 * DAY_MS)
      const [cookie = ''] = (await ask('GET /me', { session: ada })).cookies
      const [, end = ''] =
        /^__Host-app_session=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=(.+)$/.exec(cookie) ?? []
      assert.equal(Math.round((Date.parse(end) - Date.now()) / DAY_MS), 30)
    })

    test('signing out ends the session and removes its cookie, and signing out without a session calls no Durable Object', async () => {
      const out = await ask('POST /sign-out', { session: ada })
      assert.deepEqual([out.json, out.cookies], [{ ok: true, data: null }, [ENDED]])
      assert.deepEqual((await ask('GET /me', { session: ada })).json, { ok: true, data: null })
      world.calls.length = 0
      assert.deepEqual((await ask('POST /sign-out')).cookies, [ENDED])
      assert.deepEqual(world.calls, [])
    })

    test('a session is not accepted from a cookie with another name or without the __Host- prefix', async () => {
      for (const cookies of [`app_session=${ada}`, `x${SESSION}=${ada}`, `${TICKET}=${ada}`])
        assert.deepEqual((await ask('GET /me', { cookies })).json, { ok: true, data: null })
    })
  })

  describe('bodies', () => {
    test('every route with which a person reads or changes their own account needs a session', async () => {
      for (const line of [
        'PATCH /me',
        'POST /password',
        'GET /sessions',
        'DELETE /sessions/x',
        'POST /verify',
        'POST /verify/confirm',
        'GET /passkeys',
        'POST /passkeys/options',
        'POST /passkeys',
        'DELETE /passkeys/x',
      ]) {
        const given = /GET|DELETE/.test(line) ? {} : { body: {} }
        for (const session of [undefined, `${ADA}.${'0'.repeat(16)}.${'0'.repeat(64)}`]) {
          const { status, json } = await ask(line, { session, ...given })
          assert.deepEqual([status, json], [401, NOT_SIGNED_IN], line)
        }
      }
    })

    test('every account route with a body rejects one that is not a JSON object', async () => {
      for (const path of [
        'sign-up',
        'sign-up/code',
        'sign-in',
        'code',
        'code/confirm',
        'reset',
        'reset/confirm',
        'passkey/verify',
        'handover',
      ])
        for (const [body, problem] of [
          ['', 'is not JSON'],
          ['{', 'is not JSON'],
          ['null', 'must be an object'],
          ['[]', 'must be an object'],
          ['"text"', 'must be an object'],
        ] as const) {
          const { status, json } = await ask(`POST /${path}`, { body })
          assert.deepEqual([status, json], [400, invalid('body', problem)], path)
        }
    })

    test('an account request with a missing field, or one of the wrong type, is rejected with an error that names it', async () => {
      const email = invalid('email', 'must be an email address')
      for (const value of [undefined, null, 5, {}, ['x'], 'x'.repeat(100_000)]) {
        const body = {
          email: value,
          password: value,
          name: value,
          code: value,
          token: value,
          next: value,
          credential: value,
        }
        for (const path of ['sign-up', 'sign-in', 'code', 'code/confirm', 'reset'])
          assert.deepEqual((await ask(`POST /${path}`, { body })).json, email, path)
        const password = invalid('password', 'must have 10 to 200 characters')
        assert.deepEqual((await ask('POST /reset/confirm', { body })).json, password)
        const as = { session: ada, body }
        assert.deepEqual((await ask('PATCH /me', as)).json, invalid('name', 'must have 1 to 100 characters'))
        assert.deepEqual(
          (await ask('POST /password', as)).json,
          invalid('next', 'must have 10 to 200 characters'),
        )
        assert.equal((await ask('POST /passkey/verify', { body })).status, 400)
        assert.equal((await ask('POST /passkeys', as)).status, 400)
        mock.timers.tick(61_000)
      }
    })

    test("people can end their other sessions, and another person's session is reported as not found", async () => {
      const ben = await world.person(userId('b'))
      const id = ben.split('.')[1]
      const missing = { ok: false, error: { code: 'not_found', message: 'There is no such session.' } }
      assert.deepEqual((await ask(`DELETE /sessions/${id}`, { session: ada })).json, missing)
      assert.equal((await ask(`DELETE /sessions/${id}`, { session: ben })).status, 200)
      assert.deepEqual((await ask('GET /me', { session: ben })).json, { ok: true, data: null })
    })

    test("when an account's Durable Object cannot be reached, the error response reveals nothing about it", async () => {
      world.before = () => {
        throw new Error('secret detail')
      }
      const { status, text } = await ask('GET /me', { session: ada })
      assert.equal(status, 500)
      assert.deepEqual(JSON.parse(text), {
        ok: false,
        error: { code: 'server_error', message: 'Something failed in the app.' },
      })
    })
  })

  describe('providers', () => {
    const begin = async (path = 'club/start?returnTo=%2Flists') => {
      const { status, location, cookies, text } = await ask(`GET /oauth/${path}`)
      assert.deepEqual([status, text], [302, ''])
      const ticket = cookies[0]?.split(';')[0] ?? ''
      return { location: location ?? '', cookies, ticket }
    }
    const stateOf = (location: string) => new URL(location).searchParams.get('state')

    test('a sign-in at a provider is bound to the browser by a cookie that expires after ten minutes', async () => {
      const { location, cookies } = await begin()
      assert.ok(location.startsWith('https://club.test/authorize?'))
      assert.equal(cookies.length, 1)
      assert.match(
        cookies[0] ?? '',
        /^__Host-app_oauth=[a-f0-9]{64}; Path=\/; HttpOnly; SameSite=Lax; Secure; Max-Age=600$/,
      )
    })

    test("a provider's callback signs the person in, opens the page where the person began, and removes the sign-in cookie", async () => {
      replaceFetch(async (url: string) =>
        Response.json(
          url.endsWith('/token')
            ? { access_token: 'access' }
            : { id: 'sub', email: EMAIL, email_verified: true, name: 'Ada' },
        ),
      )
      const { location, ticket } = await begin()
      const back = await ask(`GET /oauth/club/callback?state=${stateOf(location)}&code=x`, {
        cookies: ticket,
      })
      assert.deepEqual([back.status, back.location, back.cookies[1]], [302, `${ORIGIN}/lists`, NO_TICKET])
      assert.match(back.cookies[0] ?? '', new RegExp(`^${SESSION}=${ADA}\\.`))
    })

    test("a provider's callback without the sign-in cookie, or after a canceled sign-in, opens no session", async () => {
      const one = await begin()
      const lost = await ask(`GET /oauth/club/callback?state=${stateOf(one.location)}&code=x`)
      assert.deepEqual([lost.location, lost.cookies], ['/sign-in?problem=expired', [NO_TICKET]])
      const two = await begin()
      const cancelled = await ask(
        `GET /oauth/club/callback?state=${stateOf(two.location)}&error=access_denied`,
        { cookies: two.ticket },
      )
      assert.deepEqual(
        [cancelled.location, cancelled.cookies],
        [`${ORIGIN}/sign-in?problem=cancelled`, [NO_TICKET]],
      )
      assert.equal((await ask('GET /oauth/club/callback')).location, '/sign-in?problem=expired')
    })

    test('a sign-in at an unknown provider, or after too many attempts, redirects to the sign-in page with the reason', async () => {
      assert.equal((await begin('nowhere/start')).location, '/sign-in?problem=failed')
      assert.equal((await ask('GET /oauth/nowhere/callback')).location, '/sign-in?problem=failed')
      const headers = { 'cf-connecting-ip': '192.0.2.1' }
      for (let n = 0; n < 20; n++) await ask('GET /oauth/club/start', { headers })
      const late = await ask('GET /oauth/club/start', { headers })
      assert.deepEqual(
        [late.status, late.location, late.cookies],
        [302, '/sign-in?problem=wait', [NO_TICKET]],
      )
    })
  })
})
