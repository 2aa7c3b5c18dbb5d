import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { after, afterEach, beforeEach, describe, mock, test } from 'node:test'
import type * as GateModule from './gate.ts'
import { importInWorkerd, workerEnv } from '../objects/workerd.test.fixture.ts'
import { DAY_MS } from '../durations.ts'

const NOW = Date.parse('2026-11-20T10:30:00.000Z')
const CODE = 'open the café'
const ORIGIN = 'https://app.example.test'
const HTML = { accept: 'text/html,*/*;q=0.8' }
const UNAUTHORIZED = {
  ok: false,
  error: { code: 'unauthorized', message: 'This app needs an access code.' },
}

type Gate = Pick<typeof GateModule, 'gateCookie' | 'gateId' | 'refuseWithoutAccessCode'>
let loads = 0
/** The module caches its access code and counts wrong attempts, so each test loads a new copy. */
const openGate = (bound: unknown): Promise<Gate> => {
  workerEnv['APP_GATE'] = bound
  return importInWorkerd(() => import(`./gate.ts?app=${++loads}`) as Promise<Gate>)
}
function boundTo(code: string, id = 'abc'): string {
  const key = randomBytes(32)
  const hash = createHmac('sha256', key).update(`code\n${code}`).digest('base64url')
  return `${id}.${key.toString('base64')}.${hash}`
}

describe('the access code of an app', () => {
  let gate: Gate
  beforeEach(async () => {
    mock.timers.enable({ apis: ['Date'], now: NOW })
    gate = await openGate(boundTo(CODE))
  })
  afterEach(() => mock.timers.reset())
  after(() => {
    delete workerEnv['APP_GATE']
  })

  const ask = (path: string, init: RequestInit = {}, origin = ORIGIN) =>
    gate.refuseWithoutAccessCode(new Request(`${origin}${path}`, init))
  async function enter(
    fields: Record<string, string | Blob>,
    headers: Record<string, string> = {},
    origin = ORIGIN,
  ) {
    const body = new FormData()
    for (const [name, value] of Object.entries(fields)) body.set(name, value)
    return (await ask('/_app/gate', { method: 'POST', body, headers }, origin)) ?? assert.fail('not refused')
  }
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? ''
  const withCookie = (cookie: string, headers: Record<string, string> = HTML) => ({
    headers: { ...headers, cookie },
  })
  const shown = async (answer: Response | null) => {
    const html = (await answer?.text()) ?? ''
    return {
      status: answer?.status,
      to: /name="to" value="([^"]*)"/.exec(html)?.[1],
      problem: /role="alert">([^<]*)</.exec(html)?.[1] ?? null,
    }
  }

  test('an app without an access code lets every request in, and sets no cookie', async () => {
    for (const bound of ['off', undefined, 5]) {
      gate = await openGate(bound)
      assert.deepEqual(
        [gate.gateId(), await ask('/'), await gate.gateCookie(new Request(ORIGIN))],
        [null, null, null],
      )
    }
  })

  test('before the access code is entered, a page request gets the access code form and other requests get a JSON error', async () => {
    assert.deepEqual(await shown(await ask('/plants?of=me&b="x"', { headers: HTML })), {
      status: 401,
      to: '/plants?of=me&amp;b=%22x%22',
      problem: null,
    })
    for (const [path, init] of [
      ['/', {}],
      ['/', { headers: { accept: 'application/json' } }],
      ['/', { method: 'HEAD', headers: HTML }],
      ['/api/plants', { method: 'POST', headers: HTML }],
    ] as const) {
      const answer = await ask(path, init)
      assert.deepEqual([answer?.status, await answer?.json()], [401, UNAUTHORIZED])
    }
  })

  test('only the health check, the sign-in from the console and the webhook addresses need no access code', async () => {
    const open = [
      '/_app/health',
      '/_app/auth/handover',
      '/_app/auth/handover.js',
      '/_app/hook/a',
      '/_app/pay/webhook',
    ]
    for (const path of open) assert.equal(await ask(path, { method: 'POST' }), null, path)
    const closed = [
      '/_app/healthy',
      '/_app/health/',
      '/_app/auth/handover/x',
      '/_app/hook',
      '/x/_app/health',
      '//_app/health',
    ]
    for (const path of [...closed, '/_app/hook/../data', '/_app/hook/%2e%2e/data'])
      assert.equal((await ask(path))?.status, 401, path)
  })

  test('the right access code, in any Unicode form and with spaces around it, opens the requested page', async () => {
    for (const code of [CODE, `  ${CODE.normalize('NFD')}\n`]) {
      const answer = await enter({ code, to: '/plants?of=me' })
      assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/plants?of=me'])
      assert.equal(await ask('/api/plants', withCookie(cookieOf(answer), {})), null)
    }
  })

  test('the cookie of an access code works for 30 days, only on its host, and only until the code is replaced', async () => {
    const answer = await enter({ code: CODE, to: '/' })
    const header = answer.headers.get('set-cookie') ?? ''
    assert.match(
      header,
      /^__Host-app_gate=\d+\.[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure; Expires=Sun, 20 Dec 2026 10:30:00 GMT$/,
    )
    const cookie = cookieOf(answer)
    assert.equal(await ask('/', withCookie(`a=1; ${cookie}; b=2`)), null)
    mock.timers.tick(30 * DAY_MS - 1)
    assert.equal(await ask('/', withCookie(cookie)), null)
    mock.timers.tick(1)
    assert.equal((await ask('/', withCookie(cookie)))?.status, 401)
    mock.timers.setTime(NOW)
    gate = await openGate(boundTo(CODE))
    assert.equal((await ask('/', withCookie(cookie)))?.status, 401)
  })

  test('an altered or made-up cookie of an access code is refused', async () => {
    const cookie = cookieOf(await enter({ code: CODE, to: '/' }))
    const [name = '', value = ''] = cookie.split('=')
    const [until = '', signature = ''] = value.split('.')
    for (const made of [
      `${name}=${Number(until) + 1}.${signature}`,
      `${name}=9e99.${signature}`,
      `${name}=Infinity.${signature}`,
      `${name}=${until}.`,
      `${name}=${until}`,
      `${name}=`,
      `app_gate=${value}`,
      `x${cookie}`,
    ])
      assert.equal((await ask('/', withCookie(made)))?.status, 401, made)
  })

  test('over http the cookie of an access code has no __Host- prefix and no Secure attribute', async () => {
    const answer = await enter({ code: CODE, to: '/' }, {}, 'http://localhost:8787')
    assert.match(
      answer.headers.get('set-cookie') ?? '',
      /^app_gate=[^;]*; Path=\/; HttpOnly; SameSite=Lax; Expires=/,
    )
    assert.equal(await ask('/', withCookie(cookieOf(answer)), 'http://localhost:8787'), null)
  })

  test('opening the access code form with a valid cookie redirects to the app', async () => {
    const cookie = cookieOf(await enter({ code: CODE, to: '/' }))
    const answer = await ask('/_app/gate', withCookie(cookie))
    assert.deepEqual([answer?.status, answer?.headers.get('location')], [303, '/'])
    assert.deepEqual(await shown(await ask('/_app/gate', { headers: HTML })), {
      status: 401,
      to: '/',
      problem: null,
    })
  })

  test('after the access code was entered, the browser is redirected only to a page of the app', async () => {
    for (const to of [
      '//evil.test',
      '/\\evil.test',
      '/\t/evil.test',
      '/.//evil.test',
      '/a/..//evil.test',
      'https://evil.test',
      'javascript:alert(1)',
      '',
      `/${'a'.repeat(2000)}`,
      new Blob(['/file']),
    ])
      assert.equal((await enter({ code: CODE, to })).headers.get('location'), '/')
    assert.equal((await enter({ code: CODE })).headers.get('location'), '/')
    const longest = `/${'a'.repeat(1999)}`
    assert.equal((await enter({ code: CODE, to: longest })).headers.get('location'), longest)
  })

  test('after a wrong access code the form keeps the requested address, and a body that is not a form counts as a wrong code', async () => {
    const wrong = { status: 401, to: '/plants', problem: 'That code is not right.' }
    // Send each code from another network, because a network has to wait after too many wrong codes.
    const from = (n: number) => ({ 'cf-connecting-ip': `192.0.2.${n}` })
    for (const [n, code] of [
      '',
      'x',
      'Open the café',
      `${CODE}x`,
      'x'.repeat(201),
      new Blob([CODE]),
    ].entries())
      assert.deepEqual(await shown(await enter({ code, to: '/plants' }, from(n))), wrong)
    for (const [n, body] of ['', 'code=x', '{"code":"x"}', '\0'].entries()) {
      const headers = { ...from(100 + n), 'content-type': 'application/json' }
      const answer = await ask('/_app/gate', { method: 'POST', body, headers })
      assert.deepEqual(await shown(answer), { ...wrong, to: '/' })
    }
  })

  test('after five wrong access codes only that network must wait, even to send the right code', async () => {
    const from = { 'cf-connecting-ip': '192.0.2.1' }
    const statuses: number[] = []
    for (let n = 0; n < 6; n++) statuses.push((await enter({ code: 'x' }, from)).status)
    assert.deepEqual(statuses, [401, 401, 401, 401, 401, 429])
    assert.deepEqual(await shown(await enter({ code: CODE, to: '/a' }, from)), {
      status: 429,
      to: '/a',
      problem: 'Too many attempts. Try again in 1 s.',
    })
    assert.equal((await enter({ code: CODE }, { 'cf-connecting-ip': '198.51.100.1' })).status, 303)
    mock.timers.tick(1000)
    assert.equal((await enter({ code: CODE }, from)).status, 303)
    assert.equal((await enter({ code: 'x' }, from)).status, 401)
  })

  test('the access code form shows a wait of 90 seconds or more in minutes', async () => {
    const from = { 'cf-connecting-ip': '192.0.2.1' }
    // The pause after the n-th wrong code is 2 ** (n - 5) seconds.
    for (let n = 1; n <= 11; n++) {
      assert.equal((await enter({ code: 'x' }, from)).status, 401)
      if (n < 11) mock.timers.tick(2 ** Math.max(0, n - 5) * 1000)
    }
    assert.equal(
      (await shown(await enter({ code: CODE }, from))).problem,
      'Too many attempts. Try again in 64 s.',
    )
    mock.timers.tick(64_000)
    await enter({ code: 'x' }, from)
    const { problem } = await shown(await enter({ code: CODE }, from))
    assert.equal(problem, 'Too many attempts. Try again in 3 minutes.')
  })

  test('a form of more than 8 KiB is refused before the access code in it is read', async () => {
    const code = CODE + ' '.repeat(8192)
    await assert.rejects(enter({ code }), { name: 'ApiError', code: 'invalid_request' })
  })

  test('the id of the current access code can be read, so that the service sees when a changed code is in use', () => {
    assert.equal(gate.gateId(), 'abc')
  })
})
