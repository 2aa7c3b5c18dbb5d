import assert from 'node:assert/strict'
import { createHmac, generateKeyPairSync, randomBytes, sign } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'

const CODE = 'open the café'

/** Returns the value of the worker's variable with the hash of the access code, as server/capabilities/access/code.ts creates it. */
function gateOf(code: string): string {
  const key = randomBytes(32)
  const hash = createHmac('sha256', key).update(`code\n${code}`).digest('base64url')
  return `${randomBytes(8).toString('hex')}.${key.toString('base64')}.${hash}`
}

const MANIFEST = {
  slipway: 1,
  name: 'Club <b>of</b> "friends"',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    board: {
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { text: { type: 'text', required: true } },
    },
    wishes: {
      partition: 'app',
      read: 'owner',
      write: 'owner',
      fields: { text: { type: 'text', required: true } },
    },
  },
}
const ROUTES = `import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/hello', (c) => c.text('hello'))
routes.get('/env', (c) => c.json(Object.keys(Reflect.get(globalThis, 'process')?.env ?? {})))
`
const TREE = new Map([
  ...starterTree('Club'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
  ['server/routes.ts', ROUTES],
])
const PAGE = { accept: 'text/html,application/xhtml+xml' }
let networks = 0
const network = () => ({ 'cf-connecting-ip': `198.51.100.${++networks}` })

describe('an app behind an access code', () => {
  let app: RunningApp
  /** Another app with the same access code, deployed without OPERATOR_KEY. */
  let keyless: RunningApp
  const keys = generateKeyPairSync('ed25519')
  const operatorKey = String(keys.publicKey.export({ format: 'jwk' }).x)
  before(async () => {
    app = await startApp(TREE, { enabled: ['auth', 'data'], gate: gateOf(CODE), operatorKey })
    keyless = await startApp(TREE, { enabled: ['auth', 'data'], gate: gateOf(CODE) })
  })
  after(async () => {
    await app?.stop()
    await keyless?.stop()
  })

  const enter = (
    code: string,
    { at = app, to = '/', headers = network() }: { at?: RunningApp; to?: string; headers?: object } = {},
  ) =>
    at.fetch('/_app/gate', {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ code, to }),
    })
  const cookieOf = (answer: Response) =>
    answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ')

  test('without the access code an app serves nothing: no page, file, API, platform route or socket', async () => {
    const inside = { cookie: cookieOf(await enter(CODE)) }
    const shell = await (await app.fetch('/', { headers: { ...PAGE, ...inside } })).text()
    const script = /src="(\/assets\/[^"]+)"/.exec(shell)?.[1] ?? ''
    assert.notEqual(script, '')
    for (const path of ['/', '/anything', script, '/api/hello', '/_app/config', '/_app/auth/me']) {
      const answer = await app.fetch(path)
      const text = await answer.text()
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [401, 'no-store'], path)
      assert.equal((JSON.parse(text) as { error: { code: string } }).error.code, 'unauthorized', path)
      assert.equal((await app.fetch(path, { headers: inside })).status, 200, path)
    }
    await assert.rejects(openSocket(app, { collections: ['board'] }))
    const socket = await openSocket(app, { collections: ['board'], ...inside })
    await socket.next('hello')
    socket.close()
    const health = await app.fetch('/_app/health')
    assert.equal(health.status, 200)
  })

  test('behind an access code, files with a hash in their name are cached for a year by browsers but not by shared caches', async () => {
    const inside = { cookie: cookieOf(await enter(CODE)) }
    const shell = await (await app.fetch('/', { headers: { ...PAGE, ...inside } })).text()
    const script = /src="(\/assets\/[^"]+)"/.exec(shell)?.[1] ?? ''
    const { headers } = await app.fetch(script, { headers: inside })
    assert.match(headers.get('cache-control') ?? '', /^private, max-age=31536000, immutable$/)
  })

  test("a browser without the access code gets a page with the app's name, one labeled field and no script", async () => {
    const answer = await app.fetch('/somewhere?a=%22%3E', { headers: PAGE })
    const html = await answer.text()
    assert.equal(answer.status, 401)
    assert.match(html, /Club &lt;b&gt;of&lt;\/b&gt; &quot;friends&quot;/)
    assert.match(html, /<label for="code">/)
    assert.match(html, /name="to" value="\/somewhere\?a=%22%3E"/)
    assert.doesNotMatch(html, /<script/)
    assert.match(answer.headers.get('content-security-policy') ?? '', /default-src 'self'/)
  })

  test('the right access code opens the requested page and sets an HttpOnly, same-site cookie', async () => {
    const answer = await enter(`  ${CODE.normalize('NFD')} `, { to: '/somewhere?a=1' })
    assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/somewhere?a=1'])
    const cookie = answer.headers.get('set-cookie') ?? ''
    assert.match(cookie, /^app_gate=\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    const days = (Date.parse(/Expires=(.+)$/.exec(cookie)?.[1] ?? '') - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days < 30.1, String(days))
    for (const to of ['//evil.test', 'https://evil.test/', '/\\evil.test', 'javascript:1', '/.//evil.test'])
      assert.equal((await enter(CODE, { to })).headers.get('location'), '/', to)
  })

  test("an altered, expired or forged access cookie, or one signed with another app's key, is refused", async () => {
    const good = cookieOf(await enter(CODE)).slice('app_gate='.length)
    const [until = '', signature = ''] = good.split('.')
    for (const value of [
      `${Number(until) + 1}.${signature}`,
      `${until}.${signature.slice(0, -2)}AA`,
      `1.${signature}`,
      until,
      `NaN.${signature}`,
      '',
    ])
      assert.equal(
        (await app.fetch('/api/hello', { headers: { cookie: `app_gate=${value}` } })).status,
        401,
        value,
      )
    const headers = { cookie: `app_gate=${good}` }
    assert.equal((await keyless.fetch('/api/hello', { headers })).status, 401)
  })

  test('wrong access codes rate-limit only the sending network', async () => {
    const headers = network()
    const tries: number[] = []
    for (let n = 0; n < 9; n++) tries.push((await enter(`guess number ${n}`, { headers })).status)
    assert.deepEqual(tries.slice(0, 5), [401, 401, 401, 401, 401])
    assert.ok(tries.includes(429), tries.join())
    const refused = await enter(CODE, { headers })
    assert.equal(refused.status, 429)
    assert.match(await refused.text(), /role="alert">Too many attempts\. Try again in \d+ s\./)
    assert.equal((await enter(CODE)).status, 303)
    const wrong = await enter('not the code')
    assert.match(await wrong.text(), /aria-invalid="true"[\s\S]*That code is not right\./)
  })

  test('an access code posted from another site is refused with 403, and a malformed request body counts as a wrong code', async () => {
    const foreign = { ...network(), origin: 'https://evil.test' }
    assert.equal((await enter(CODE, { headers: foreign })).status, 403)
    const headers = network()
    const odd = await app.fetch('/_app/gate', { method: 'POST', headers, body: '{"code":1}' })
    assert.equal(odd.status, 401)
  })

  test('app code cannot read the key that signs access cookies', async () => {
    const headers = { cookie: cookieOf(await enter(CODE)) }
    const names = (await (await app.fetch('/api/env', { headers })).json()) as string[]
    assert.ok(!names.includes('APP_GATE'), names.join())
  })

  describe('opened from the console by a signed link', () => {
    interface Change {
      [field: string]: unknown
    }
    let made = 0
    const tokenOf = (change: Change = {}, key = keys.privateKey) => {
      const claim = {
        use: 'handover',
        aud: 'app',
        tier: 'production',
        member: 'usr_ada',
        email: 'Ada@org.test',
        emailVerified: true,
        name: 'Ada',
        exp: Math.floor(Date.now() / 1000) + 45,
        jti: `jti-${++made}`,
        ...change,
      }
      const text = Buffer.from(JSON.stringify(claim)).toString('base64url')
      return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
    }
    const handOver = (token: unknown) =>
      app.fetch('/_app/auth/handover', { method: 'POST', body: JSON.stringify({ token }) })
    const come = async (change: Change = {}) => {
      const answer = await handOver(tokenOf(change))
      const { data, error } = (await answer.json()) as {
        data: { user: { id: string; role: string; email: string } }
        error?: { code: string; message: string }
      }
      return { user: data?.user, error, cookie: cookieOf(answer) }
    }
    const as = (cookie: string) => async (method: string, path: string, body?: object) => {
      const init = { method, headers: { cookie }, ...(body && { body: JSON.stringify(body) }) }
      return (await (await app.fetch(path, init)).json()) as { data: never; error?: { code: string } }
    }
    const signUp = async (email: string) => {
      const gate = cookieOf(await enter(CODE))
      const answer = await app.fetch('/_app/auth/sign-up', {
        method: 'POST',
        headers: { cookie: gate },
        body: JSON.stringify({ email, password: 'pears and apples', name: 'Mallory' }),
      })
      const { error } = (await answer.json()) as { error?: { code: string } }
      return { error, cookie: `${gate}; ${cookieOf(answer)}` }
    }

    test('an organization member who opens an app from the console needs no access code and gets the same staff account each time', async () => {
      const first = await come()
      assert.deepEqual([first.user?.role, first.user?.email], ['staff', 'ada@org.test'])
      const call = as(first.cookie)
      assert.equal(((await call('GET', '/_app/auth/me')).data as { id: string }).id, first.user?.id)
      assert.equal((await come()).user?.id, first.user?.id)
      assert.notEqual((await come({ member: 'usr_ben', email: 'ben@org.test' })).user?.id, first.user?.id)
    })

    test('an app session that a member opened from the console expires within twelve hours', async () => {
      const answer = await handOver(tokenOf())
      const session = answer.headers.getSetCookie().find((one) => one.startsWith('app_session='))
      const hours = (Date.parse(/Expires=(.+)$/.exec(session ?? '')?.[1] ?? '') - Date.now()) / 3_600_000
      assert.ok(hours > 11.9 && hours <= 12, String(hours))
      await as(cookieOf(answer))('GET', '/_app/auth/me')
      const { data } = await as(cookieOf(answer))('GET', '/_app/auth/sessions')
      assert.ok((data as object[]).length > 0)
    })

    test('a link of the service that signs a member in as staff works once, within a minute, for one tier of one app', async () => {
      const token = tokenOf()
      assert.equal((await handOver(token)).status, 200)
      const refused = [
        token,
        tokenOf({ aud: 'app-admin' }),
        tokenOf({ tier: 'preview' }),
        tokenOf({ use: undefined }),
        tokenOf({ exp: Math.floor(Date.now() / 1000) - 1 }),
        tokenOf({ exp: Math.floor(Date.now() / 1000) + 600 }),
        tokenOf({}, generateKeyPairSync('ed25519').privateKey),
        'nonsense',
        null,
      ]
      for (const one of refused) {
        const answer = await handOver(one)
        assert.deepEqual([answer.status, answer.headers.getSetCookie()], [401, []], String(one).slice(0, 60))
      }
      const twice = tokenOf()
      const both = await Promise.all([handOver(twice), handOver(twice)])
      assert.deepEqual(both.map(({ status }) => status).sort(), [200, 401])
    })

    test('an app that was deployed by hand, without OPERATOR_KEY, accepts no link from the console', async () => {
      const init = { method: 'POST', body: JSON.stringify({ token: tokenOf() }) }
      const inside = { cookie: cookieOf(await enter(CODE, { at: keyless })) }
      const answer = await keyless.fetch('/_app/auth/handover', { ...init, headers: inside })
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [401, []])
    })

    test("an app refuses an organization member whose address belongs to a user of the app, and the user's role does not change", async () => {
      const { cookie } = await signUp('cleo@org.test')
      const { error, cookie: none } = await come({ member: 'usr_cleo', email: 'cleo@org.test' })
      assert.deepEqual([error?.code, none], ['conflict', ''])
      const { data } = await as(cookie)('GET', '/_app/auth/me')
      assert.equal((data as { role: string }).role, 'member')
      // The second attempt is refused for the same reason, so the first attempt created no account for the member.
      assert.equal((await come({ member: 'usr_cleo', email: 'cleo@org.test' })).error?.code, 'conflict')
    })

    test("after a member opened the app from the console, the member's address can neither sign up nor sign in by password", async () => {
      await come({ member: 'usr_dan', email: 'dan@org.test' })
      assert.equal((await signUp('dan@org.test')).error?.code, 'conflict')
      const gate = cookieOf(await enter(CODE))
      for (const password of ['', 'null', 'pears and apples']) {
        const signIn = await as(gate)('POST', '/_app/auth/sign-in', { email: 'dan@org.test', password })
        assert.equal(signIn.error?.code, 'unauthorized')
      }
    })

    test('the page that signs a member in from the console contains no token and sends no referrer', async () => {
      const page = await app.fetch('/_app/auth/handover')
      assert.deepEqual([page.status, page.headers.get('cache-control')], [200, 'no-store'])
      assert.equal(page.headers.get('referrer-policy'), 'same-origin')
      assert.match(await (await app.fetch('/_app/auth/handover.js')).text(), /replaceState/)
    })
  })
})
