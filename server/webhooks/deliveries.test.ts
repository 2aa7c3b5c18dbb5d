import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { sign } from '../crypto/signature.ts'
import { transact } from '../db/database.ts'
import { emit } from '../events/emit.ts'
import type { Client, TestApp } from '../testing/app.ts'
import { type Receiver, type Reply, verifiedEvent } from '../testing/receiver.ts'
import { BASE_SECONDS, DeliveryWorld, waitUntilTrue } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('deliveries', () => {
  let world: DeliveryWorld
  let app: TestApp
  let ann: Client
  before(async () => {
    world = await DeliveryWorld.open()
    app = world.app
  })
  after(() => app.close())
  beforeEach(async () => {
    ann = await app.signUp()
  })
  afterEach(() => world.clear())

  describe('deliveries to a receiver', () => {
    test('the body of a webhook delivery is the envelope, signed so that an independent verifier accepts it', async () => {
      leaves({ events: { 'project.created': 1 }, activity: { 'webhook.created': 1 } })
      const there = await world.receiver()
      const { id, secret } = await world.subscribe(ann, there.url)
      world.relay()
      const projectId = await world.createProject(ann, 'Grüße 🌱')
      await there.until(1)
      await world.allSettled()
      const [got] = there.received
      assert.ok(got)
      const event = verifiedEvent(got, secret, app.clock.now())
      assert.match(event.id, /^evt_/)
      assert.deepEqual(event, {
        id: event.id,
        type: 'project.created',
        projectId,
        createdAt: app.clock.now().getTime(),
        data: { name: 'Grüße 🌱', slug: 'gruesse' },
      })
      assert.equal(got.headers['content-type'], 'application/json')
      assert.equal(got.headers['service-event'], 'project.created')
      assert.equal(got.headers['service-delivery-id'], event.id)
      assert.equal(got.headers['service-signature'], sign(secret, got.body, app.clock.now()))
      assert.equal(await world.lastDeliveryAt(ann, id), app.clock.now().toISOString())
    })

    test('a receiver gets only the events that it subscribed to, from its own organization, and once per endpoint', async () => {
      leaves({
        events: { 'project.created': 1, 'ticket.created': 1, 'ticket.updated': 1 },
        activity: { 'webhook.created': 4 },
      })
      const [all, some, none, foreign] = [
        await world.receiver(),
        await world.receiver(),
        await world.receiver(),
        await world.receiver(),
      ]
      const bob = await app.signUp()
      await world.subscribe(ann, all.url)
      await world.subscribe(ann, some.url, ['ticket.created', 'ticket.updated'])
      await world.subscribe(ann, none.url, ['project.deleted'])
      await world.subscribe(bob, foreign.url)
      world.relay()
      const projectId = await world.createProject(ann)
      const ticket = await ann.call<{ id: string }>(`POST /projects/${projectId}/tickets`, { title: 'Water' })
      await ann.call(`PATCH /projects/${projectId}/tickets/${ticket.data.id}`, { title: 'Water them' })
      await world.allSettled()
      const typesOf = ({ received }: Receiver) =>
        received.map(({ headers }) => headers['service-event']).toSorted()
      assert.deepEqual(typesOf(all), ['project.created', 'ticket.created', 'ticket.updated'])
      assert.deepEqual(typesOf(some), ['ticket.created', 'ticket.updated'])
      assert.deepEqual(typesOf(none), [])
      assert.deepEqual(typesOf(foreign), [])
      const created = all.received.find(({ headers }) => headers['service-event'] === 'ticket.created')
      const { data } = JSON.parse(created?.body ?? '') as { data: object }
      assert.deepEqual(data, {
        ticketId: ticket.data.id,
        title: 'Water',
        type: 'task',
        source: 'human',
      })
    })

    test('a new webhook endpoint gets only events that were fired after it was created', async () => {
      leaves({ events: { 'project.created': 2 }, activity: { 'webhook.created': 1 } })
      const there = await world.receiver()
      await world.createProject(ann, 'Before')
      await world.subscribe(ann, there.url)
      world.relay()
      await world.createProject(ann, 'After')
      await world.allSettled()
      assert.deepEqual(
        there.received.map(({ body }) => (JSON.parse(body) as { data: { name: string } }).data.name),
        ['After'],
      )
    })
  })

  test('a commit notifies the senders of deliveries once if it stored deliveries, and not at all if no endpoint subscribes', async () => {
    leaves({
      events: { 'project.created': 1, 'project.reverted': 5, 'ticket.created': 2 },
      activity: { 'webhook.created': 2 },
    })
    const projectId = await world.createProject(ann)
    const listening = await app.platform.pool.connect()
    const heard: string[] = []
    listening.on('notification', ({ payload = '' }) => heard.push(payload))
    /** Runs `work`, and returns the number of notifications that its commits sent. */
    const countNotifications = async (work: () => Promise<unknown>): Promise<number> => {
      heard.length = 0
      await work()
      // Notifications are delivered in the order of the commits, so all of `work` arrive before this one.
      await app.platform.pool.query(`select pg_notify('deliveries', 'end')`)
      await waitUntilTrue(async () => {
        await listening.query('select 1')
        return heard.includes('end')
      })
      return heard.length - 1
    }
    const createTicket = () => ann.call(`POST /projects/${projectId}/tickets`, { title: 'Water them' })
    const storeEvents = (count: number) => () =>
      transact(app.platform.db, async (trx) => {
        const event = { orgId: ann.organizationId, projectId, at: app.clock.now() }
        for (let n = 0; n < count; n++)
          await emit(trx, { ...event, type: 'project.reverted', data: { sha: `${n}` } })
      })
    try {
      await listening.query('listen deliveries')
      await world.subscribe(ann, 'http://127.0.0.1:9/one', ['ticket.build.succeeded'])
      assert.equal(await countNotifications(createTicket), 0)
      assert.equal(await countNotifications(storeEvents(1)), 0)
      await world.subscribe(ann, 'http://127.0.0.1:9/all')
      assert.equal(await countNotifications(createTicket), 1)
      assert.equal(await countNotifications(storeEvents(4)), 1)
      assert.equal((await world.open()).length, 5)
    } finally {
      listening.release(true)
    }
  })

  test('a change that is rolled back sends no webhook event', async () => {
    leaves({ activity: { 'webhook.created': 1 } })
    const there = await world.receiver()
    await world.subscribe(ann, there.url)
    const event = { orgId: ann.organizationId, projectId: 'prj_a', at: app.clock.now() }
    const failing = transact(app.platform.db, async (trx) => {
      await emit(trx, { ...event, type: 'project.archived', data: {} })
      throw new Error('changed my mind')
    })
    await assert.rejects(failing, /changed my mind/)
    assert.deepEqual(await world.open(), [])
  })

  describe('the first attempt is followed by exactly five retries', () => {
    test('a webhook endpoint that always fails gets six attempts of one delivery, each with a different signature', async () => {
      leaves({ events: { 'project.created': 2 }, activity: { 'webhook.created': 1 } })
      const there = await world.receiver((res) => res.writeHead(500).end('no'))
      const { id, secret } = await world.subscribe(ann, there.url)
      world.relay()
      await world.createProject(ann)
      for (let attempt = 1; attempt <= 6; attempt++) {
        await there.until(attempt)
        await world.attempted(attempt)
        // A random factor stretches the pause to at most its double.
        await world.advance(BASE_SECONDS * 1000 * 2 ** (attempt - 1) * 2)
      }
      await world.allSettled()
      await world.advance(86_400_000)
      // A seventh attempt would be due now and would arrive before the delivery of a later event.
      await world.createProject(ann)
      await there.until(7)
      const [next] = there.received.slice(6)
      const attempts = there.received.slice(0, 6)
      assert.equal(new Set(attempts.map(({ body }) => body)).size, 1)
      assert.equal(new Set(attempts.map(({ headers }) => headers['service-delivery-id'])).size, 1)
      assert.equal(new Set(attempts.map(({ headers }) => headers['service-signature'])).size, 6)
      assert.notEqual(next?.headers['service-delivery-id'], attempts[0]?.headers['service-delivery-id'])
      for (const got of attempts) {
        const t = Number(/^t=(\d{10}),/.exec(String(got.headers['service-signature']))?.[1])
        assert.equal(verifiedEvent(got, secret, new Date(t * 1000)).type, 'project.created')
      }
      assert.equal(await world.lastDeliveryAt(ann, id), null)
    })

    test('the pause before a retry doubles each time and is stretched randomly by up to a factor of two', async () => {
      leaves({ events: { 'project.created': 6 }, activity: { 'webhook.created': 2 } })
      const there = await world.receiver((res) => res.writeHead(503).end())
      await world.subscribe(ann, there.url)
      const [other, elsewhere] = [await app.signUp(), await world.receiver()]
      await world.subscribe(other, elsewhere.url)
      world.relay()
      await world.createProject(ann)
      for (let attempt = 1; attempt <= 5; attempt++) {
        await there.until(attempt)
        await world.attempted(attempt)
        const [row] = await world.open()
        const pauseMs = (row?.next_at.getTime() ?? 0) - app.clock.now().getTime()
        const least = BASE_SECONDS * 1000 * 2 ** (attempt - 1)
        assert.ok(pauseMs >= least && pauseMs <= least * 2, `${pauseMs} after attempt ${attempt}`)
        await world.advance(pauseMs - 1)
        // Each round of the sender claims all due deliveries. So when the delivery of this new event arrives,
        // a due retry would have been claimed, too.
        await world.createProject(other)
        await elsewhere.until(attempt)
        assert.equal(there.received.length, attempt, 'not a moment too early')
        assert.equal((await world.open())[0]?.claimed_by, null)
        await world.advance(1)
      }
      await there.until(6)
      await world.allSettled()
    })

    const FAILURES: Record<string, Reply> = {
      'a redirect': (res) => res.writeHead(302, { location: '/elsewhere' }).end(),
      '410': (res) => res.writeHead(410).end(),
      'a reset connection': (res) => res.socket?.resetAndDestroy(),
      'an answer that is not HTTP': (res) => res.socket?.end('nonsense\r\n\r\n'),
      'headers that break off': (res) => res.socket?.end('HTTP/1.1 200 OK\r\nContent-Le'),
    }
    for (const [name, reply] of Object.entries(FAILURES))
      test(`a webhook receiver that responds with ${name} fails the delivery attempt, and the next attempt can succeed`, async () => {
        leaves({ events: { 'project.created': 1 }, activity: { 'webhook.created': 1 } })
        const there = await world.receiver(reply)
        const { id } = await world.subscribe(ann, there.url)
        world.relay()
        await world.createProject(ann)
        await there.until(1)
        await world.attempted(1)
        assert.equal(await world.lastDeliveryAt(ann, id), null)
        there.reply((res) => res.writeHead(200).end())
        await world.advance(BASE_SECONDS * 2000)
        await there.until(2)
        await world.allSettled()
        assert.equal(there.received.length, 2)
        assert.ok(
          there.received.every(({ path }) => path === '/in'),
          'redirects are not followed',
        )
        assert.equal(await world.lastDeliveryAt(ann, id), app.clock.now().toISOString())
      })

    const SUCCESSES: Record<string, Reply> = {
      '204': (res) => res.writeHead(204).end(),
      '299': (res) => res.writeHead(299).end(),
      'a body that breaks off': (res) => {
        res.writeHead(200, { 'content-length': '100' }).write('half')
        setImmediate(() => res.socket?.destroy())
      },
      'a body that is far too long': (res) => res.writeHead(200).end('x'.repeat(5_000_000)),
    }
    for (const [name, reply] of Object.entries(SUCCESSES))
      test(`a webhook receiver that responds with ${name} has got the delivery, because the status was 2xx`, async () => {
        leaves({ events: { 'project.created': 1 }, activity: { 'webhook.created': 1 } })
        const there = await world.receiver(reply)
        const { id } = await world.subscribe(ann, there.url)
        world.relay()
        await world.createProject(ann)
        await world.allSettled()
        assert.equal(there.received.length, 1)
        assert.equal(await world.lastDeliveryAt(ann, id), app.clock.now().toISOString())
      })
  })
})
