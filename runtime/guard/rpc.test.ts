import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'
import { handleGuard } from './rpc.ts'
import type { GuardCalls } from './types.ts'

const HOST = 'app.example.test'
const GOOD = { success: true, hostname: HOST, action: 'contact' }
const UNAVAILABLE = {
  ok: false,
  error: { code: 'unavailable', message: 'The check for bots cannot be reached. Try again in a moment.' },
}
const rejected = (message: string) => ({
  ok: false,
  error: { code: 'forbidden', message, field: 'guard.contact' },
})
const MISSING = rejected('Confirm that you are a person, and try again.')
const DOUBTFUL = rejected('It could not be confirmed that you are a person. Try again.')
const invalid = (field: string, problem: string) => ({
  ok: false,
  error: { code: 'invalid_request', message: `${field}: ${problem}`, field },
})
const verdict = (...codes: unknown[]) => Response.json({ success: false, 'error-codes': codes })

interface Asked {
  secret: string
  response: string
  idempotency_key: string
}

describe('the bot check of an app', () => {
  /** The requests to Turnstile. */
  let asked: Asked[]
  /** The answers of Turnstile, in order. After the last answer, Turnstile confirms every token. */
  let answers: (Response | Error)[]
  let env: Record<string, unknown>
  beforeEach(() => {
    asked = []
    answers = []
    env = { GUARD_SECRET: 'secret', GUARD_SITE_KEY: 'site' }
    replaceFetch(async (url: string, init: RequestInit) => {
      assert.equal(url, 'https://challenges.cloudflare.com/turnstile/v0/siteverify')
      assert.deepEqual([init.method, init.redirect], ['POST', 'manual'])
      asked.push(JSON.parse(String(init.body)) as Asked)
      const answer = answers.shift() ?? Response.json(GOOD)
      if (answer instanceof Error) throw answer
      return answer
    })
  })
  afterEach(restoreFetch)

  const call = <Kind extends keyof GuardCalls>(
    kind: Kind,
    ask: GuardCalls[Kind]['ask'],
    tier: 'production' | 'preview' = 'production',
  ) => handleGuard({ env, tier }, kind, ask)
  const verify = (token: unknown = 'token', action = 'contact', hostname = HOST) =>
    call('verify', { token: token as string, action, hostname })

  describe('a Turnstile token', () => {
    test("a Turnstile token is verified with the app's own Turnstile secret", async () => {
      assert.deepEqual(await verify(), { ok: true, value: null })
      const key = asked[0]?.idempotency_key ?? ''
      assert.match(key, /^[0-9a-f-]{36}$/)
      assert.deepEqual(asked, [{ secret: 'secret', response: 'token', idempotency_key: key }])
    })

    test('a Turnstile token without the expected host, action or success flag is rejected', async () => {
      for (const change of [
        { hostname: 'evil.test' },
        { hostname: `x.${HOST}` },
        { hostname: undefined },
        { action: 'vote' },
        { action: undefined },
        { success: 'true' },
        { success: 1 },
      ]) {
        answers = [Response.json({ ...GOOD, ...change })]
        assert.deepEqual(await verify(), DOUBTFUL, JSON.stringify(change))
      }
    })

    test('a token that Turnstile reports as missing, invalid or used is rejected without a retry', async () => {
      for (const codes of [
        ['timeout-or-duplicate'],
        ['invalid-input-response'],
        ['missing-input-response', 'timeout-or-duplicate'],
        [],
      ]) {
        asked = []
        answers = [verdict(...codes)]
        assert.deepEqual([await verify(), asked.length], [DOUBTFUL, 1])
      }
    })

    test('a Turnstile token that is missing or longer than 2,048 characters is rejected without a request', async () => {
      for (const token of ['', null, 5, ['x'], 'x'.repeat(2049)])
        assert.deepEqual(await verify(token), MISSING)
      assert.deepEqual(asked, [])
      assert.deepEqual(await verify('x'.repeat(2048)), { ok: true, value: null })
    })

    test('a bot check with an action name that Turnstile would not accept is refused', async () => {
      const problem = invalid('action', 'must have 1 to 32 letters, digits, - or _')
      for (const action of ['', 'a b', 'a/b', 'x'.repeat(33)])
        assert.deepEqual(await verify('token', action), problem)
      answers = [Response.json({ ...GOOD, action: 'x'.repeat(32) })]
      assert.deepEqual(await verify('token', 'x'.repeat(32)), { ok: true, value: null })
    })
  })

  describe('a verification that Turnstile does not complete', () => {
    const lost = () => new TypeError('fetch failed')
    const failed = (status: number) => Response.json({ success: false }, { status })

    test('a Turnstile verification request that fails is retried once with the same idempotency key', async () => {
      for (const answer of [
        lost(),
        failed(500),
        failed(503),
        failed(429),
        new Response('<html>'),
        Response.json(null),
        Response.json([]),
        Response.json('yes'),
      ]) {
        asked = []
        answers = [answer]
        assert.deepEqual(await verify(), { ok: true, value: null })
        assert.deepEqual([asked.length, asked[0]], [2, asked[1]])
      }
    })

    test('a Turnstile token is rejected after two failed verification requests, without a third', async () => {
      answers = [failed(500), lost()]
      assert.deepEqual([await verify(), asked.length], [UNAVAILABLE, 2])
    })

    test('a Turnstile error that is not about the token makes the verification fail as unavailable', async () => {
      for (const codes of [
        ['invalid-input-secret'],
        ['internal-error'],
        ['timeout-or-duplicate', 'bad-request'],
        [5],
        [null],
      ]) {
        answers = [verdict(...codes)]
        assert.deepEqual(await verify(), UNAVAILABLE)
      }
    })

    test('an app without a Turnstile secret rejects every token without sending it to Turnstile', async () => {
      for (const secret of ['', undefined]) {
        env['GUARD_SECRET'] = secret
        assert.deepEqual(await verify(), UNAVAILABLE)
      }
      assert.deepEqual(asked, [])
    })
  })

  describe('rate limits', () => {
    /** The counted keys, each after the name of its counter. */
    let counted: string[]
    beforeEach(() => {
      counted = []
      env['GUARD_LIMITS'] = JSON.stringify([
        { name: 'posts', per: 'ip' },
        { name: 'votes', per: 'user' },
        { name: 'unbound', per: 'ip' },
      ])
      const counterOf = (name: string, success: boolean) => ({
        limit: async ({ key }: { key: string }) => {
          counted.push(`${name}: ${key}`)
          return { success }
        },
      })
      Object.assign(env, {
        GUARD_LIMIT_0: counterOf('first', true),
        GUARD_LIMIT_1: counterOf('second', false),
      })
    })
    const limit = (name: string, key: unknown = 'ada', tier?: 'preview') =>
      call('limit', { name, key: key as string }, tier)

    test('each rate limit has its own counter, and the counted key contains the project and the tier (production or preview)', async () => {
      assert.deepEqual(await limit('posts'), { ok: true, value: true })
      assert.deepEqual(await limit('votes'), { ok: true, value: false })
      assert.deepEqual(await limit('posts', 'ada', 'preview'), { ok: true, value: true })
      assert.deepEqual(counted, [
        'first: site production ada',
        'second: site production ada',
        'first: site preview ada',
      ])
    })

    test('a rate limit that the operator has not set allows every call, and one whose counter is missing allows none', async () => {
      assert.deepEqual(await limit('other'), { ok: true, value: true })
      assert.deepEqual(await limit('unbound'), UNAVAILABLE)
      env['GUARD_LIMITS'] = undefined
      assert.deepEqual(await limit('posts'), { ok: true, value: true })
      assert.deepEqual(counted, [])
    })

    test('the key of a rate limit must have 1 to 500 characters, even when the limit is not set', async () => {
      for (const name of ['posts', 'other'])
        for (const key of ['', 'k'.repeat(501), null, 5])
          assert.deepEqual(await limit(name, key), invalid('key', 'must have 1 to 500 characters'))
      assert.deepEqual(await limit('posts', 'k'.repeat(500)), { ok: true, value: true })
    })

    test('the live worker returns the Turnstile site key, the protected paths and the rate limits to the app', async () => {
      env['GUARD_PROTECT'] = JSON.stringify(['auth', '/api/contact'])
      assert.deepEqual(await call('facts', null), {
        ok: true,
        value: {
          siteKey: 'site',
          protect: ['auth', '/api/contact'],
          limits: { posts: 'ip', votes: 'user', unbound: 'ip' },
        },
      })
      env = {}
      assert.deepEqual(await call('facts', null), {
        ok: true,
        value: { siteKey: '', protect: [], limits: {} },
      })
    })
  })
})
