import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testApp, type Client, type TestApp } from '../testing/app.ts'
import { LIVE_GRANTS_MAX } from './request-code.ts'
import { purgeDeviceGrants } from './purge-grants.ts'
import { leaves } from '../testing/effects.ts'

interface Code {
  deviceCode: string
  userCode: string
  verificationUrl: string
  verificationUrlComplete: string
  expiresIn: number
  interval: number
}
interface PollResponse {
  status: string
  id?: string
  key?: string
  interval?: number
}

const MINUTE_MS = 60_000
const DEFAULT_SCOPES = ['projects:read', 'projects:write', 'tickets:write', 'build:write']

// Each test has its own person, because the number of code look-ups is limited per person.
describe('device sign-in', () => {
  let app: TestApp
  let requests = 0
  before(async () => {
    app = await testApp({ trustedProxies: ['127.0.0.1'] })
  })
  after(() => app.close())

  /** Starts a device sign-in. Each sign-in has its own client address, because the number of new codes is limited per address. */
  async function beginGrant(body: object = { name: 'laptop' }): Promise<Code> {
    const answer = await app.nobody.call<Code>('POST /device/code', body, fromAddress(++requests))
    assert.equal(answer.status, 200, String(answer.error?.message))
    return answer.data
  }
  const fromAddress = (n: number) => ({ 'x-forwarded-for': `10.1.${n >> 8}.${n & 255}` })
  const pollToken = (code: Code) =>
    app.nobody.call<PollResponse>('POST /device/token', { deviceCode: code.deviceCode })
  const outcomeOf = (answer: { status: number; error: { code: string } | undefined }) =>
    `${answer.status} ${answer.error?.code ?? ''}`.trim()

  test('a device sign-in returns two codes, shows the requested scopes to the person who approves it, and returns the API key once', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const ada = await app.signUp('Ada')
    const code = await beginGrant({ name: "  Ada's laptop " })
    assert.match(code.userCode, /^[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/)
    assert.equal(code.verificationUrl, `${app.config.baseUrl}/device`)
    assert.equal(code.verificationUrlComplete, `${app.config.baseUrl}/device?code=${code.userCode}`)
    assert.deepEqual([code.expiresIn, code.interval], [600, 5])
    assert.deepEqual((await pollToken(code)).data, { status: 'pending', interval: 5 })

    const grant = await ada.call(`GET /device/grant?code=${code.userCode}`)
    const expiresAt = new Date(app.clock.now().getTime() + 10 * MINUTE_MS).toISOString()
    assert.deepEqual(grant.data, {
      code: code.userCode,
      name: "Ada's laptop",
      scopes: DEFAULT_SCOPES,
      address: `10.1.0.${requests}`,
      expiresAt,
    })
    const typed = code.userCode.replace('-', ' ').toLowerCase()
    const approved = await ada.call<{ id: string; expiresAt: string }>('POST /device/approve', {
      code: typed,
    })
    assert.equal(approved.status, 200, String(approved.error?.message))
    const in90Days = new Date(app.clock.now().getTime() + 90 * 86_400_000).toISOString()
    assert.equal(approved.data.expiresAt, in90Days)

    const { data } = await pollToken(code)
    assert.equal(data.status, 'approved')
    assert.deepEqual({ ...data, key: '' }, { status: 'approved', key: '', ...approved.data })
    assert.match(String(data.key), /^svk_[0-9A-Za-z]{49}$/)
    const headers = { authorization: `Bearer ${data.key}` }
    const me = await app.nobody.call<{ scopes: string[]; organization: { id: string } }>(
      'GET /me',
      undefined,
      headers,
    )
    assert.deepEqual(me.data.scopes, DEFAULT_SCOPES)
    assert.equal(me.data.organization.id, ada.organizationId)
    assert.equal(outcomeOf(await pollToken(code)), '409 conflict')
    assert.deepEqual(await keysOf(ada), [["Ada's laptop", 'device', in90Days]])
    const log = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'actor', 'target'])
      .where('org_id', '=', ada.organizationId)
      .execute()
    assert.equal(log.length, 1)
    assert.deepEqual([log[0]?.action, log[0]?.actor], ['api_key.created', ada.email])
  })

  test('neither the key of a device sign-in nor its device code is ever stored in the database', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const ada = await app.signUp()
    const code = await beginGrant()
    const dumpGrantsAndKeys = async () => {
      const grants = await app.platform.db.selectFrom('device_grants').selectAll().execute()
      const keys = await app.platform.db.selectFrom('api_keys').selectAll().execute()
      return JSON.stringify([grants, keys])
    }
    const before = await dumpGrantsAndKeys()
    await ada.call('POST /device/approve', { code: code.userCode })
    const between = await dumpGrantsAndKeys()
    const { key } = (await pollToken(code)).data
    assert.ok(key)
    for (const text of [before, between, await dumpGrantsAndKeys()]) {
      assert.ok(!text.includes(key.slice(12)))
      assert.ok(!text.includes(code.deviceCode))
    }
  })

  test('the key of a device has exactly the scopes that the person was shown', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const ada = await app.signUp()
    const scopes = ['deploy:write', 'projects:read', 'deploy:write']
    const code = await beginGrant({ name: 'ci', scopes })
    const shown = await ada.call<{ scopes: string[] }>(`GET /device/grant?code=${code.userCode}`)
    assert.deepEqual(shown.data.scopes, ['projects:read', 'deploy:write'])
    const minted = await ada.call<{ scopes: string[] }>('POST /device/approve', { code: code.userCode })
    assert.deepEqual(minted.data.scopes, shown.data.scopes)
  })

  test('a device whose request was denied gets the status denied, and its code cannot be used again', async () => {
    const ada = await app.signUp()
    const code = await beginGrant()
    const denied = await ada.call('POST /device/deny', { code: code.userCode })
    assert.deepEqual(denied.data, { denied: true })
    assert.deepEqual((await pollToken(code)).data, { status: 'denied' })
    for (const route of ['POST /device/approve', 'POST /device/deny'])
      assert.equal(outcomeOf(await ada.call(route, { code: code.userCode })), '409 conflict')
    assert.equal(outcomeOf(await ada.call(`GET /device/grant?code=${code.userCode}`)), '409 conflict')
    assert.deepEqual(await keysOf(ada), [])
  })

  test('an approved device code can be neither approved nor denied by another person', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const [ada, eve] = [await app.signUp(), await app.signUp()]
    const code = await beginGrant()
    await ada.call('POST /device/approve', { code: code.userCode })
    for (const route of ['POST /device/approve', 'POST /device/deny'])
      assert.equal(outcomeOf(await eve.call(route, { code: code.userCode })), '409 conflict')
    assert.deepEqual(await keysOf(eve), [])
    assert.equal((await pollToken(code)).data.status, 'approved')
  })

  test('four simultaneous approvals of a device create one API key, and of ten simultaneous polls only one returns the key', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const people = await Promise.all(Array.from({ length: 4 }, () => app.signUp()))
    const code = await beginGrant()
    const body = { code: code.userCode }
    const approvals = await Promise.all(people.map((person) => person.call('POST /device/approve', body)))
    assert.deepEqual(approvals.map(outcomeOf).toSorted(), [
      '200',
      '409 conflict',
      '409 conflict',
      '409 conflict',
    ])
    const polls = await Promise.all(Array.from({ length: 10 }, () => pollToken(code)))
    assert.equal(polls.filter((answer) => answer.data?.key !== undefined).length, 1)
    assert.equal(polls.filter((answer) => outcomeOf(answer) === '409 conflict').length, 9)
    const keys = await Promise.all(people.map(keysOf))
    assert.equal(keys.flat().length, 1)
  })

  test('a device that polls for its key too often gets a 429 with a longer interval, and a poll after that interval is accepted', async () => {
    const code = await beginGrant()
    assert.equal((await pollToken(code)).data.status, 'pending')
    app.clock.advance(4_999)
    const early = await pollToken(code)
    assert.deepEqual([outcomeOf(early), early.headers.get('retry-after')], ['429 rate_limited', '10'])
    app.clock.advance(9_999)
    assert.equal((await pollToken(code)).headers.get('retry-after'), '15')
    app.clock.advance(15_000)
    assert.deepEqual((await pollToken(code)).data, { status: 'pending', interval: 15 })
  })

  test('a device code expires after ten minutes, and after an approval in the last second the device can still collect its key', async () => {
    leaves({ activity: { 'api_key.created': 1 } })
    const ada = await app.signUp()
    const [late, last] = [await beginGrant(), await beginGrant()]
    app.clock.advance(10 * MINUTE_MS - 1)
    assert.equal((await ada.call('POST /device/approve', { code: last.userCode })).status, 200)
    app.clock.advance(1)
    assert.deepEqual((await pollToken(late)).data, { status: 'expired' })
    assert.equal(outcomeOf(await ada.call(`GET /device/grant?code=${late.userCode}`)), '404 not_found')
    assert.equal(outcomeOf(await ada.call('POST /device/approve', { code: late.userCode })), '404 not_found')
    app.clock.advance(5_000)
    assert.equal((await pollToken(last)).data.status, 'approved')
  })

  test('an API key that was revoked before the device collected it is not returned to the device', async () => {
    leaves({ activity: { 'api_key.created': 1, 'api_key.revoked': 1 } })
    const ada = await app.signUp()
    const code = await beginGrant()
    const { data } = await ada.call<{ id: string }>('POST /device/approve', { code: code.userCode })
    await ada.call(`DELETE /keys/${data.id}`)
    assert.deepEqual((await pollToken(code)).data, { status: 'denied' })
  })

  test('the limit of fifty API keys includes the keys of devices, even with simultaneous approvals', async () => {
    leaves({ activity: { 'api_key.created': 2 } })
    const ada = await app.signUp()
    for (let n = 0; n < 48; n++) await app.keyFor(ada)
    const codes = await Promise.all(Array.from({ length: 5 }, () => beginGrant()))
    const answers = await Promise.all(
      codes.map((code) => ada.call('POST /device/approve', { code: code.userCode })),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, 2)
    assert.equal(answers.filter((answer) => outcomeOf(answer) === '409 conflict').length, 3)
    const refused = codes.find((_, n) => answers[n]?.status === 409)
    assert.ok(refused)
    assert.equal(
      (await pollToken(refused)).data.status,
      'pending',
      'it can still be approved after a key is revoked',
    )
  })

  test('a caller with an API key can neither start, look up, approve or deny a device sign-in nor collect its key', async () => {
    const ada = await app.signUp()
    const key = await app.keyFor(ada)
    for (const [route, body] of [
      ['POST /device/code', { name: 'x' }],
      ['POST /device/code', {}],
      ['POST /device/token', { deviceCode: 'x' }],
      ['GET /device/grant?code=AAAA-AAAA', undefined],
      ['POST /device/approve', { code: 'AAAA-AAAA' }],
      ['POST /device/deny', { code: 'AAAA-AAAA' }],
    ] as const)
      assert.equal(outcomeOf(await key.call(route, body)), '403 forbidden', route)
    const wrong = await app.nobody.call('POST /device/code', { name: 'x' }, { authorization: 'Basic eDp5' })
    assert.equal(outcomeOf(wrong), '403 forbidden')
    assert.equal(outcomeOf(await app.nobody.call('POST /device/approve', { code: 'x' })), '401 unauthorized')
  })

  test("malformed input of a device sign-in is refused with the field's name in the error, and an unknown code returns a 404", async () => {
    const ada = await app.signUp()
    const bad: [string, object | undefined, RegExp, Client?][] = [
      ['POST /device/code', {}, /^name: /],
      ['POST /device/code', { name: ' ' }, /^name: /],
      ['POST /device/code', { name: 'x'.repeat(65) }, /^name: /],
      ['POST /device/code', { name: 'lap\u202Etop' }, /^name: /],
      ['POST /device/code', { name: 'a\nb' }, /^name: /],
      ['POST /device/code', { name: 'x', scopes: [] }, /^scopes: /],
      ['POST /device/code', { name: 'x', scopes: ['admin'] }, /^scopes\.0: /],
      ['POST /device/token', {}, /^deviceCode: /],
      ['POST /device/token', { deviceCode: 7 }, /^deviceCode: /],
      ['GET /device/grant', undefined, /^code: /, ada],
      ['GET /device/grant?code=ABCD-EFG', undefined, /^code: /, ada],
      ['POST /device/approve', { code: 'ABCD-EFGHJ' }, /^code: /, ada],
    ]
    for (const [route, body, message, as = app.nobody] of bad) {
      const answer = await as.call(route, body, fromAddress(++requests))
      assert.equal(outcomeOf(answer), '400 invalid_request', `${route} ${JSON.stringify(body)}`)
      assert.match(answer.error?.message ?? '', message)
    }
    assert.equal(outcomeOf(await ada.call('GET /device/grant?code=AAAA-AAAA')), '404 not_found')
    for (const route of ['POST /device/approve', 'POST /device/deny'])
      assert.equal(outcomeOf(await ada.call(route, { code: 'AAAA-AAAA' })), '404 not_found', route)
    const unknown = await app.nobody.call('POST /device/token', { deviceCode: 'x' })
    assert.equal(outcomeOf(unknown), '404 not_found')
  })

  test('new device codes are rate limited per IP address; look-ups, approvals and denials share one rate limit per person', async () => {
    const codes = []
    const answers = []
    for (let n = 0; n < 11; n++) {
      const answer = await app.nobody.call<Code>('POST /device/code', { name: 'x' }, fromAddress(60_000))
      answers.push(outcomeOf(answer))
      codes.push(answer.data)
    }
    assert.deepEqual(answers, [...Array<string>(10).fill('200'), '429 rate_limited'])
    const ada = await app.signUp()
    const decisions = []
    for (let n = 0; n < 9; n++) decisions.push(await ada.call(`GET /device/grant?code=${codes[n]?.userCode}`))
    decisions.push(await ada.call('POST /device/deny', { code: codes[0]?.userCode }))
    assert.deepEqual(decisions.map(outcomeOf), Array<string>(10).fill('200'))
    const over = await ada.call('POST /device/approve', { code: codes[1]?.userCode })
    assert.equal(outcomeOf(over), '429 rate_limited')
    assert.match(over.headers.get('retry-after') ?? '', /^\d+$/)
    const other = await app.signUp()
    assert.equal((await other.call(`GET /device/grant?code=${codes[1]?.userCode}`)).status, 200)
  })

  test('a device sign-in is deleted exactly an hour after it expired', async () => {
    const code = await beginGrant()
    app.clock.advance(70 * MINUTE_MS - 1)
    await purgeDeviceGrants.run(app.platform, new AbortController().signal)
    assert.deepEqual((await pollToken(code)).data, { status: 'expired' })
    app.clock.advance(1)
    await purgeDeviceGrants.run(app.platform, new AbortController().signal)
    assert.equal(outcomeOf(await pollToken(code)), '404 not_found')
  })

  test('while ten thousand device sign-ins are pending, a new one is refused, so that callers without credentials cannot fill the table', async () => {
    await app.platform.pool.query(
      `insert into device_grants (device_hash, user_code, name, scopes, status, kid, key_hash, prefix, address,
         interval_seconds, expires_at, created_at)
       select 'h' || n, 'u' || n, 'x', '{}', 'pending', 'k1', 'h', 'p', '10.0.0.1', 5, $1, $2
       from generate_series(1, $3) n`,
      [new Date(app.clock.now().getTime() + MINUTE_MS), app.clock.now(), LIVE_GRANTS_MAX],
    )
    const full = await app.nobody.call('POST /device/code', { name: 'x' }, fromAddress(++requests))
    assert.deepEqual([outcomeOf(full), full.headers.get('retry-after')], ['429 rate_limited', '60'])
    app.clock.advance(MINUTE_MS)
    await beginGrant()
  })

  async function keysOf(person: Client): Promise<unknown[][]> {
    const { data } = await person.call<{ name: string; source: string; expiresAt: string }[]>('GET /keys')
    return data.map((key) => [key.name, key.source, key.expiresAt])
  }
})
