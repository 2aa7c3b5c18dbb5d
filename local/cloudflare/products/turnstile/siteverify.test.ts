import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createAccount } from '../../accounts/accounts.ts'
import { openStore } from '../../../schema.ts'
import { siteverify } from './siteverify.ts'
import { insertWidget, rotateSecret } from './widgets.ts'

const HOST = 'plants.demo.localhost'
const SITEVERIFY = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'

describe('verification of bot-protection tokens by the local cloud', () => {
  let now = 1_000_000_000_000
  const dir = mkdtempSync(join(tmpdir(), 'slipway-turnstile-'))
  const store = openStore(join(dir, 'world.db'))
  const { id: accountId } = createAccount(store, { name: 'demo', plan: 'paid', at: now })
  const ask = siteverify(store, () => now)
  after(() => {
    store.close()
    rmSync(dir, { recursive: true, force: true })
  })

  const createWidget = (name = 'plants-guard') =>
    insertWidget(store, { accountId, name, domains: [HOST], mode: 'managed' }, now)
  const issueToken = (fields: object = {}) => {
    const content = { action: 'contact', hostname: HOST, id: randomUUID(), at: now, ...fields }
    return `XXXX.DUMMY.TOKEN.${Buffer.from(JSON.stringify(content)).toString('base64url')}`
  }
  async function fetchVerdict(fields: Record<string, string>, isForm = false) {
    const init = isForm
      ? { body: new URLSearchParams(fields) }
      : { body: JSON.stringify(fields), headers: { 'content-type': 'application/json' } }
    const answer = await ask(new Request(SITEVERIFY, { method: 'POST', ...init }))
    const body = (await answer.json()) as { success: boolean; 'error-codes': string[] }
    return body.success ? body : body['error-codes'].join()
  }

  test('the verification of a valid Turnstile token returns its host and action, for JSON and form requests', async () => {
    const { secret } = createWidget()
    for (const isForm of [false, true])
      assert.deepEqual(await fetchVerdict({ secret, response: issueToken() }, isForm), {
        success: true,
        'error-codes': [],
        challenge_ts: new Date(now).toISOString(),
        hostname: HOST,
        action: 'contact',
      })
  })

  test('a Turnstile verification request may be a multipart form, which is how fetch sends FormData', async () => {
    const { secret } = createWidget()
    const body = new FormData()
    for (const [name, value] of Object.entries({ secret, response: issueToken(), remoteip: '192.0.2.1' }))
      body.set(name, value)
    const answer = await ask(new Request(SITEVERIFY, { method: 'POST', body }))
    assert.equal(((await answer.json()) as { success: boolean }).success, true)
  })

  test('a Turnstile verification request whose body has no readable secret is refused, whatever its content type', async () => {
    const bodies = [
      ['application/json', 'null'],
      ['application/json', '[]'],
      ['application/json', '"secret"'],
      ['application/json', '{'],
      ['application/json', '{"secret":7}'],
      ['multipart/form-data; boundary=x', 'no parts'],
      ['application/x-www-form-urlencoded', ''],
      ['text/plain', 'secret'],
    ] as const
    for (const [type, body] of bodies) {
      const answer = await ask(
        new Request(SITEVERIFY, { method: 'POST', body, headers: { 'content-type': type } }),
      )
      assert.deepEqual(
        await answer.json(),
        { success: false, 'error-codes': ['missing-input-secret'] },
        `${type}: ${body}`,
      )
    }
  })

  test('a second verification of a Turnstile token is rejected, except with the same idempotency key', async () => {
    const { secret } = createWidget()
    const response = issueToken()
    const idempotency_key = randomUUID()
    for (const _again of [1, 2])
      assert.equal(typeof (await fetchVerdict({ secret, response, idempotency_key })), 'object')
    assert.equal(await fetchVerdict({ secret, response }), 'timeout-or-duplicate')
    assert.equal(
      await fetchVerdict({ secret, response, idempotency_key: randomUUID() }),
      'timeout-or-duplicate',
    )
  })

  test('a Turnstile token of another host, an old token and a forged one are rejected', async () => {
    const { secret } = createWidget()
    const refused: [string, string][] = [
      [issueToken({ hostname: 'evil.example.com' }), 'invalid-input-response'],
      [issueToken({ hostname: `evil${HOST}` }), 'invalid-input-response'],
      ['XXXX.DUMMY.TOKEN.XXXX', 'invalid-input-response'],
      ['', 'missing-input-response'],
      [issueToken({ at: now - 300_001 }), 'timeout-or-duplicate'],
    ]
    for (const [response, code] of refused) assert.equal(await fetchVerdict({ secret, response }), code)
  })

  test('Turnstile verification accepts only secrets of existing widgets, and a replaced secret only for two hours', async () => {
    const response = issueToken()
    assert.equal(await fetchVerdict({ response }), 'missing-input-secret')
    assert.equal(await fetchVerdict({ secret: '1x0', response }), 'invalid-input-secret')
    const before = createWidget()
    const { secret } = rotateSecret(store, before, now, false)
    assert.notEqual(secret, before.secret)
    for (const known of [before.secret, secret])
      assert.equal(typeof (await fetchVerdict({ secret: known, response: issueToken() })), 'object')
    now += 2 * 3_600_000
    assert.equal(
      await fetchVerdict({ secret: before.secret, response: issueToken() }),
      'invalid-input-secret',
    )
    const last = rotateSecret(store, { ...before, secret }, now, true)
    assert.equal(await fetchVerdict({ secret, response: issueToken() }), 'invalid-input-secret')
    assert.equal(typeof (await fetchVerdict({ secret: last.secret, response: issueToken() })), 'object')
  })

  test('a Turnstile widget whose name contains fail-verify or fail-spent rejects a valid token', async () => {
    const [refuses, spent] = [createWidget('a-fail-verify'), createWidget('a-fail-spent')]
    assert.equal(
      await fetchVerdict({ secret: refuses.secret, response: issueToken() }),
      'invalid-input-response',
    )
    assert.equal(await fetchVerdict({ secret: spent.secret, response: issueToken() }), 'timeout-or-duplicate')
    assert.match(refuses.sitekey, /^2x0{8}/)
  })

  test('the widget script of challenges.cloudflare.com is not served and gets status 404', async () => {
    const answer = await ask(new Request('https://challenges.cloudflare.com/turnstile/v0/api.js'))
    assert.equal(answer.status, 404)
  })
})
