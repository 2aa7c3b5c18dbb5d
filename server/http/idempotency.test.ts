import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Context } from '../endpoint.ts'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { runOnce } from './idempotency.ts'
import { leaves } from '../testing/effects.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

describe('Idempotency-Key', () => {
  let app: TestApp
  let owner: Client
  let keys = 0
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e6, sessionPerMinute: 1e6, addressPerMinute: 1e6 } })
    owner = await app.signUp()
  })
  after(() => app.close())

  const newKey = () => `key-${++keys}`
  const createWithKey = (key: string, body: object = { name: 'Once' }, client = owner) =>
    client.call<{ id: string }>('POST /projects', body, { 'idempotency-key': key })
  const countProjects = async (client = owner) =>
    (await client.call<{ items: object[] }>('GET /projects?limit=100')).data.items.length

  test('50 simultaneous requests with one Idempotency-Key create one project, and all get the same response', async () => {
    leaves({ events: { 'project.created': 1 } })
    const person = await app.signUp()
    const key = newKey()
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => createWithKey(key, { name: 'Once' }, person)),
    )
    assert.deepEqual([...new Set(answers.map((answer) => answer.status))], [200])
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.data))).size, 1)
    assert.equal(await countProjects(person), 1)
    assert.deepEqual(await eventsOf(app, person), ['project.created'])
  })

  test('a request repeated with its Idempotency-Key gets the stored response for a day, even with another prefix or field order', async () => {
    leaves({ events: { 'project.created': 2 } })
    const key = newKey()
    const first = await createWithKey(key)
    const alias = await owner.call<{ id: string }>(
      'POST /api/projects',
      { x: 1, name: 'Once' },
      { 'idempotency-key': key },
    )
    assert.equal(alias.data.id, first.data.id)
    app.clock.advance(DAY_MS - 60_000)
    assert.equal((await createWithKey(key)).data.id, first.data.id)
    app.clock.advance(2 * 60_000)
    assert.notEqual((await createWithKey(key)).data.id, first.data.id)
  })

  test('a request with a used Idempotency-Key and another body is not run, and its error names the header', async () => {
    leaves({ events: { 'project.created': 1 } })
    const key = newKey()
    await createWithKey(key)
    const before = await countProjects()
    const other = await createWithKey(key, { name: 'Twice' })
    assert.deepEqual([other.status, other.error?.code], [400, 'invalid_request'])
    assert.match(String(other.error?.message), /^Idempotency-Key: /)
    assert.equal(await countProjects(), before)
  })

  test('a failed response is not stored under its Idempotency-Key: the retry runs', async () => {
    leaves({ events: { 'project.created': 11 } })
    const person = await app.signUp()
    const setPlan = (plan: 'free' | 'pro') =>
      app.platform.db
        .updateTable('organization_settings')
        .set({ plan })
        .where('org_id', '=', person.organizationId)
        .execute()
    await setPlan('free')
    for (let n = 0; n < 10; n++) await person.call('POST /projects', {})
    const key = newKey()
    assert.equal((await createWithKey(key, {}, person)).status, 402)
    await setPlan('pro')
    assert.equal((await createWithKey(key, {}, person)).status, 200)
  })

  test('an Idempotency-Key belongs to its user: the same key of another user is a separate request', async () => {
    leaves({ events: { 'project.created': 2 } })
    const key = newKey()
    const mine = await createWithKey(key)
    const stranger = await app.signUp()
    assert.notEqual((await createWithKey(key, { name: 'Once' }, stranger)).data.id, mine.data.id)
    const ownKey = await app.keyFor(owner)
    assert.equal((await createWithKey(key, { name: 'Once' }, ownKey)).data.id, mine.data.id)
  })

  test('an Idempotency-Key of 255 bytes is accepted; the error for an empty key and for a key of 256 bytes names the header', async () => {
    leaves({ events: { 'project.created': 1 } })
    assert.equal((await createWithKey('x'.repeat(255))).status, 200)
    for (const key of ['x'.repeat(256), '']) {
      const refused = await createWithKey(key)
      assert.equal(refused.status, 400)
      assert.match(String(refused.error?.message), /^Idempotency-Key: /)
    }
  })

  test('an Idempotency-Key claimed by a process that died expires, and the retry runs', async () => {
    leaves({ events: { 'project.created': 2 } })
    const key = newKey()
    const first = await createWithKey(key)
    await sql`update idempotency_keys set body = null, claimed_until = now() - interval '1 second'
      where org_id = ${owner.organizationId} and key = ${key}`.execute(app.platform.db)
    const retried = await createWithKey(key)
    assert.equal(retried.status, 200)
    assert.notEqual(retried.data.id, first.data.id)
  })

  /** Changes the stored row as if another process were still running the request. */
  async function claimElsewhere(key: string, seconds: number) {
    await createWithKey(key)
    await sql`update idempotency_keys set body = null, claimed_until = now() + make_interval(secs => ${seconds})
      where org_id = ${owner.organizationId} and key = ${key}`.execute(app.platform.db)
  }

  test("a duplicate request waits for the first request, and runs when the first request's claim expires without a response", async () => {
    leaves({ events: { 'project.created': 2 } })
    const key = newKey()
    await claimElsewhere(key, 0.3)
    assert.equal((await createWithKey(key)).status, 200)
  })

  test('a duplicate of a request that runs for more than a minute gets a conflict', async (t) => {
    leaves({ events: { 'project.created': 1 } })
    const key = newKey()
    await claimElsewhere(key, 3600)
    // Each call of the clock returns a time two seconds after the previous one.
    let now = performance.now()
    t.mock.method(performance, 'now', () => (now += 2_000))
    const answer = await createWithKey(key)
    assert.deepEqual([answer.status, answer.error?.code], [409, 'conflict'])
    const other = await createWithKey(key, { name: 'Twice' })
    assert.equal(other.status, 400)
  })

  test('a slow request keeps its Idempotency-Key claimed until it ends, and a failed request releases its key', async (t) => {
    const person = await app.signUp()
    const caller = { organizationId: person.organizationId, userId: 'u', actorId: 'u' }
    const ctx = { ...app.platform, caller, signal: new AbortController().signal } as unknown as Context
    const listClaims = () =>
      app.platform.db
        .selectFrom('idempotency_keys')
        .select(sql<number>`extract(epoch from claimed_until - now())`.as('seconds'))
        .where('org_id', '=', person.organizationId)
        .execute()
    t.mock.timers.enable({ apis: ['setInterval'] })
    const failAfterRenewal = async () => {
      await sql`update idempotency_keys set claimed_until = now() + interval '1 second'
        where org_id = ${person.organizationId}`.execute(app.platform.db)
      t.mock.timers.tick(10_000)
      while (Number((await listClaims())[0]?.seconds) < 25) await sleep(5)
      throw new Error('failed late')
    }
    await assert.rejects(runOnce(ctx, { path: '/slow', key: 'k', body: {} }, failAfterRenewal), /failed late/)
    assert.deepEqual(await listClaims(), [])
  })

  test('a request with an Idempotency-Key and a project id of 9,000 characters gets a 404', async () => {
    const id = randomBytes(4_500).toString('hex')
    const answer = await owner.call(
      `POST /projects/${id}/tickets/capture`,
      { text: 'One thought' },
      { 'idempotency-key': newKey() },
    )
    assert.deepEqual([answer.status, answer.error?.code], [404, 'not_found'])
  })

  test('creating a ticket from a sentence several times with one Idempotency-Key creates one ticket', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 1, 'ticket.created': 1 } })
    const project = await owner.call<{ id: string }>('POST /projects', {})
    const captureTicket = () =>
      owner.call<{ id: string }>(
        `POST /projects/${project.data.id}/tickets/capture`,
        { text: 'One thought' },
        { 'idempotency-key': 'thought' },
      )
    const [one, two] = await Promise.all([captureTicket(), captureTicket()])
    const later = await captureTicket()
    assert.equal(one.status, 200, String(one.error?.message))
    assert.deepEqual([two.data.id, later.data.id], [one.data.id, one.data.id])
    const tickets = await owner.call<object[]>(`GET /projects/${project.data.id}/tickets`)
    assert.equal(tickets.data.length, 1)
  })
})
