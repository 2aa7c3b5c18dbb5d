import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { testToken } from '@slipway/runtime/guard/action.ts'
import { starterTree } from '../../source/tree.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { Browser } from '../../testing/browser.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Contact',
  uses: ['auth', 'guard'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = `import { guard } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/contact', (c) => c.json({ sent: true }))
routes.get('/contact', (c) => c.json({ open: true }))
routes.post('/contact/deep', (c) => c.json({ sent: true }))
routes.post('/contacts', (c) => c.json({ sent: true }))
routes.post('/vote', async (c) => {
  await guard.verify(c.req.raw, c.req.query('action') ?? 'vote')
  return c.json({ counted: true })
})
routes.post('/limit/:name', async (c) => {
  const key = c.req.query('key')
  return c.json({ ok: await guard.limit(c.req.param('name'), key ?? c.req.raw) })
})
`
const TREE = new Map([
  ...starterTree('Contact'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['server/routes.ts', ROUTES],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
const SECRET = '1x00000000canarysecretAA'
const VARIABLES = {
  GUARD_SITE_KEY: '1x00000000111111111111AA',
  GUARD_SECRET: SECRET,
  GUARD_PROTECT: JSON.stringify(['auth.signUp', 'auth.reset', '/api/contact']),
  GUARD_LIMITS: JSON.stringify([
    { name: 'tries', per: 'ip' },
    { name: 'posts', per: 'user' },
    { name: 'lost', per: 'ip' },
  ]),
}
const CONTACT = 'api_contact'

interface Asked {
  secret: string
  response: string
  idempotency_key: string
}

describe('bot protection of an app', () => {
  let app: RunningApp
  const asked: Asked[] = []
  const spent = new Set<string>()
  const logs: string[] = []
  let answers: (Response | null)[] = []

  /** Stands in for Turnstile's siteverify endpoint. A token made for the test site key is accepted once. */
  function verdictOf({ response }: Asked): object {
    const content = Buffer.from(response.split('.').at(-1) ?? '', 'base64url').toString()
    if (spent.has(response)) return { success: false, 'error-codes': ['timeout-or-duplicate'] }
    if (!content.startsWith('{')) return { success: false, 'error-codes': ['invalid-input-response'] }
    spent.add(response)
    return { success: true, 'error-codes': [], ...(JSON.parse(content) as object) }
  }
  const start = (variables: Record<string, string> = VARIABLES) =>
    startApp(TREE, {
      enabled: ['auth', 'data', 'guard'],
      variables,
      limits: {
        GUARD_LIMIT_0: { limit: 2, period: 60 },
        GUARD_LIMIT_1: { limit: 2, period: 60 },
      },
      onLog: (line) => logs.push(line),
      outbound: async ({ url, body }) => {
        assert.equal(url, 'https://challenges.cloudflare.com/turnstile/v0/siteverify')
        const ask = JSON.parse(body) as Asked
        asked.push(ask)
        const given = answers.shift()
        if (given === null) throw new Error('no route')
        return given ?? Response.json(verdictOf(ask))
      },
    })
  before(async () => {
    app = await start()
  })
  after(() => app.stop())
  beforeEach(() => {
    asked.length = 0
    answers = []
  })

  const token = (action: string, hostname = app.url.hostname) => testToken(action, hostname)
  async function post(path: string, given: string | null, { at = app, headers = {} } = {}) {
    const answer = await at.fetch(path, {
      method: 'POST',
      headers: { ...headers, ...(given !== null && { 'x-guard-token': given }) },
      body: '{}',
    })
    const { error, ...body } = (await answer.json()) as {
      error?: { code: string; field?: string }
      ok?: boolean
    }
    return { status: answer.status, error, body }
  }
  const statusOf = async (path: string, given: string | null) => (await post(path, given)).status

  test('a path with bot protection accepts a write only with a token for its action, and the refusal names that action', async () => {
    assert.equal(await statusOf('/api/contact', token(CONTACT)), 200)
    assert.equal(asked[0]?.secret, SECRET)
    const without = await post('/api/contact', null)
    assert.deepEqual(
      [without.status, without.error?.code, without.error?.field],
      [403, 'forbidden', `guard.${CONTACT}`],
    )
    assert.equal(asked.length, 1)
    for (const given of ['', 'x', 'x'.repeat(3000)]) assert.equal(await statusOf('/api/contact', given), 403)
    for (const path of ['/api/contact/deep', '/api/%63ontact', '/api/contact/', '/_app/auth/%73ign-up'])
      assert.equal(await statusOf(path, null), 403, path)
    assert.equal(await statusOf('/api/contact/deep', token('api_contact_deep')), 200)
  })

  test('reads and unprotected paths need no bot-protection token', async () => {
    assert.equal((await app.fetch('/api/contact')).status, 200)
    assert.equal(await statusOf('/api/contacts', null), 200)
    assert.equal((await post('/_app/auth/sign-in', null)).status, 400)
    assert.equal(asked.length, 0)
  })

  test('a bot-protection token works once, and only for its action and host', async () => {
    const good = token(CONTACT)
    assert.equal(await statusOf('/api/contact', good), 200)
    assert.equal(await statusOf('/api/contact', good), 403)
    assert.equal(await statusOf('/api/contact', token('vote')), 403)
    assert.equal(await statusOf('/api/contact', token(CONTACT, 'evil.example.com')), 403)
  })

  test('when the provider cannot verify a bot-protection token, the write is refused as unavailable', async () => {
    const down = () => new Response('', { status: 500 })
    for (const failures of [
      [down(), down()],
      [null, null],
      [null, new Response('<html>')],
      [Response.json({ success: false, 'error-codes': ['invalid-input-secret'] })],
      [Response.json({ success: false, 'error-codes': ['internal-error'] })],
    ]) {
      answers = failures
      const { status, error } = await post('/api/contact', token(CONTACT))
      assert.deepEqual([status, error?.code], [503, 'unavailable'])
    }
  })

  test('a bot-protection check with a 503 response is retried once with the same idempotency key', async () => {
    answers = [new Response('', { status: 503 })]
    assert.equal(await statusOf('/api/contact', token(CONTACT)), 200)
    assert.equal(asked.length, 2)
    assert.deepEqual(asked[0], asked[1])
    assert.match(asked[0]?.idempotency_key ?? '', /^[0-9a-f-]{36}$/)
  })

  test('without a bot-protection secret every protected write is unavailable, with a token or not', async () => {
    const { GUARD_SECRET: _secret, ...others } = VARIABLES
    const secretless = await start(others)
    try {
      assert.equal((await post('/api/contact', token(CONTACT), { at: secretless })).status, 503)
      assert.equal((await post('/api/contacts', null, { at: secretless })).status, 200)
    } finally {
      await secretless.stop()
    }
  })

  test('signing up, requesting a sign-in code and resetting a password need a bot-protection token, signing in does not', async () => {
    const account = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }
    const browser = new Browser(app)
    const refused = await browser.call('POST', '/_app/auth/sign-up', account)
    assert.deepEqual([refused.status, refused.error?.field], [403, 'guard.auth_sign-up'])
    assert.equal((await browser.call('POST', '/_app/auth/code', { email: account.email })).status, 403)
    assert.equal((await browser.call('POST', '/_app/auth/reset', { email: account.email })).status, 403)
    const made = await app.fetch('/_app/auth/sign-up', {
      method: 'POST',
      headers: { 'x-guard-token': token('auth_sign-up') },
      body: JSON.stringify(account),
    })
    assert.equal(made.status, 200)
    assert.equal((await browser.signIn('ada')).status, 200)
  })

  test('server code can require a bot-protection token for an action that it names, and the error contains the action', async () => {
    assert.equal(await statusOf('/api/vote', token('vote')), 200)
    const without = await post('/api/vote', null)
    assert.deepEqual([without.status, without.error?.field], [403, 'guard.vote'])
    const odd = await post('/api/vote?action=not%20one', token('vote'))
    assert.deepEqual([odd.status, odd.error?.field], [400, 'action'])
  })

  test('pages get the site key of bot protection, and their content security policy allows the widget', async () => {
    const { data } = (await (await app.fetch('/_app/guard')).json()) as { data: object }
    assert.deepEqual(data, { siteKey: VARIABLES.GUARD_SITE_KEY })
    const policy = (await app.fetch('/')).headers.get('content-security-policy') ?? ''
    assert.match(policy, /script-src 'self' https:\/\/challenges\.cloudflare\.com;/)
    assert.match(policy, /frame-src 'self' https:\/\/challenges\.cloudflare\.com;/)
  })

  const uses = async (name: string, headers: Record<string, string>, times = 3) => {
    const found: boolean[] = []
    for (let n = 0; n < times; n++)
      found.push(((await post(`/api/limit/${name}`, null, { headers })).body as { ok: boolean }).ok)
    return found
  }

  test('a rate limit counts by IPv4 address or IPv6 /64 network, and ignores x-forwarded-for and x-real-ip headers', async () => {
    assert.deepEqual(await uses('tries', { 'cf-connecting-ip': '198.51.100.7' }), [true, true, false])
    const forged = {
      'cf-connecting-ip': '198.51.100.7',
      'x-forwarded-for': '1.2.3.4',
      'x-real-ip': '1.2.3.4',
    }
    assert.deepEqual(await uses('tries', forged, 1), [false])
    assert.deepEqual(await uses('tries', { 'cf-connecting-ip': '198.51.100.8' }, 1), [true])
    const inNetwork = (end: string) => uses('tries', { 'cf-connecting-ip': `2001:db8:1:2::${end}` }, 1)
    assert.deepEqual(
      [await inNetwork('1'), await inNetwork('2'), await inNetwork('ffff')],
      [[true], [true], [false]],
    )
    assert.deepEqual(await uses('tries', { 'cf-connecting-ip': '2001:db8:1:3::1' }, 1), [true])
  })

  test('a per-person rate limit counts signed-in people by account, and forged sessions by network address', async () => {
    const sessionOf = async (name: string) => {
      const answer = await app.fetch('/_app/auth/sign-up', {
        method: 'POST',
        headers: {
          'x-guard-token': token('auth_sign-up'),
          'cf-connecting-ip': `203.0.113.${name.length}`,
        },
        body: JSON.stringify({ email: `${name}@example.test`, password: `${name} likes apples`, name }),
      })
      return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    }
    const at = { 'cf-connecting-ip': '198.51.100.20' }
    const [bob, cleo] = [await sessionOf('bob'), await sessionOf('cleo')]
    assert.deepEqual(await uses('posts', { ...at, cookie: bob }), [true, true, false])
    assert.deepEqual(await uses('posts', { ...at, cookie: cleo }, 1), [true])
    const forged = (n: number) => ({
      ...at,
      cookie: `app_session=u_${String(n).repeat(26)}.${'0'.repeat(16)}.${'0'.repeat(64)}`,
    })
    assert.deepEqual(
      [
        await uses('posts', forged(1), 1),
        await uses('posts', forged(2), 1),
        await uses('posts', forged(3), 1),
      ],
      [[true], [true], [false]],
    )
  })

  test('server code is never limited by an undeclared rate limit, and gets a 503 for a rate limit without its binding', async () => {
    const use = async (path: string) => (await post(path, null)).body
    for (const ok of [true, true, false]) assert.deepEqual(await use('/api/limit/tries?key=team-1'), { ok })
    assert.deepEqual(await use('/api/limit/unknown'), { ok: true })
    assert.equal(await statusOf('/api/limit/lost', null), 503)
    assert.equal(await statusOf('/api/limit/tries?key=', null), 400)
  })

  test('no secret and no token of bot protection is logged', () => {
    assert.ok(
      logs.every((line) => !line.includes(SECRET) && !line.includes('DUMMY')),
      logs.join('\n'),
    )
  })
})
