import assert from 'node:assert/strict'
import type { ServerResponse } from 'node:http'
import { after, afterEach, before, beforeEach, describe, test } from 'node:test'
import { transact } from '../db/database.ts'
import { emit } from '../events/emit.ts'
import type { Client } from '../testing/app.ts'
import type { ReceivedRequest } from '../testing/receiver.ts'
import { secretPlace } from './webhooks.ts'
import { BASE_SECONDS, DeliveryWorld, waitUntilTrue } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const idsOf = (received: readonly ReceivedRequest[]) =>
  received.map(({ headers }) => headers['service-delivery-id'])

describe('several senders of deliveries', () => {
  let world: DeliveryWorld
  let ann: Client
  before(async () => {
    world = await DeliveryWorld.open()
  })
  after(() => world.app.close())
  beforeEach(async () => {
    ann = await world.app.signUp()
  })
  afterEach(() => world.clear())

  const runQuery = (sql: string, values: unknown[] = []) => world.app.platform.pool.query(sql, values)
  /** Stores events in one transaction, so that all their deliveries are due at once. */
  const fireEvents = (count: number) =>
    transact(world.app.platform.db, async (trx) => {
      const event = { orgId: ann.organizationId, projectId: 'prj_a', at: world.app.clock.now() }
      for (let n = 0; n < count; n++)
        await emit(trx, { ...event, type: 'project.reverted', data: { sha: `${n}` } })
    })
  /** Adds a process to the table `processes` with a current heartbeat. Returns its number. */
  const joinedRelays = async () =>
    (
      await runQuery(
        `insert into processes (role, host, seen_at, version, created_at)
         values ('worker', 'here', now(), '0', now()) returning id`,
      )
    ).rows[0].id as number

  test('a hanging webhook endpoint and its backlog do not delay another endpoint', async () => {
    leaves({ events: { 'project.reverted': 200 }, activity: { 'webhook.created': 2 } })
    const hanging = await world.receiver(() => {})
    const fast = await world.receiver()
    await world.subscribe(ann, hanging.url)
    await world.subscribe(ann, fast.url)
    world.relay()
    await fireEvents(200)
    await fast.until(200)
    assert.equal(new Set(idsOf(fast.received)).size, 200)
    await hanging.until(1)
    assert.equal(hanging.received.length, 1, 'it gets one at a time until it answers')
    // The deliveries to the hanging endpoint are still pending.
    await waitUntilTrue(async () => (await world.open()).length === 200)
  })

  test('when more webhook endpoints hang than there are delivery slots, a responding endpoint still gets a slot', async () => {
    leaves({ events: { 'project.reverted': 51 }, activity: { 'webhook.created': 1 } })
    const hanging = await world.receiver(() => {})
    const fast = await world.receiver()
    const good = await world.subscribe(ann, fast.url)
    world.relay()
    await fireEvents(1)
    await world.allSettled()
    // The endpoints are inserted directly, because the API allows an organization fewer endpoints than there are slots.
    await runQuery(
      `insert into webhook_endpoints (id, org_id, url, events, secret, created_at)
       select 'whe_' || n, org_id, $2 , events, secret, created_at
       from webhook_endpoints, generate_series(1, 300) n where id = $1`,
      [good.id, hanging.url],
    )
    // A secret is encrypted for its row, so each endpoint needs its own.
    for (const { id } of (await runQuery(`select id from webhook_endpoints where id <> $1`, [good.id]))
      .rows) {
      const secret = world.app.platform.keyring.seal('whsec_x', secretPlace(id, ann.organizationId))
      await runQuery('update webhook_endpoints set secret = $2 where id = $1', [id, secret])
    }
    await fireEvents(50)
    await fast.until(51)
    assert.ok(hanging.received.length <= 192, `${hanging.received.length} of 256 slots hang`)
  })

  test('a responding webhook endpoint gets at most eight deliveries at once', async () => {
    leaves({ events: { 'project.reverted': 100 }, activity: { 'webhook.created': 1 } })
    const open: ServerResponse[] = []
    let answered = 0
    let most = 0
    const slow = await world.receiver((res) => {
      most = Math.max(most, open.push(res))
      // Each success allows one more simultaneous request, so the receiver responds only when it has the allowed number of open requests.
      if (open.length < Math.min(8, answered + 1)) return
      // Leave time for a request beyond the limit to arrive, so that `most` includes this request.
      setTimeout(() => {
        answered++
        open.shift()?.writeHead(204).end()
      }, 5)
    })
    await world.subscribe(ann, slow.url)
    world.relay()
    await fireEvents(100)
    await slow.until(100)
    for (const res of open.splice(0)) res.writeHead(204).end()
    await world.allSettled()
    assert.equal(most, 8)
  })

  test('three processes that send deliveries from one database deliver every event once', async () => {
    leaves({ events: { 'project.reverted': 300 }, activity: { 'webhook.created': 2 } })
    const there = [await world.receiver(), await world.receiver()]
    for (const { url } of there) await world.subscribe(ann, url)
    const numbers = [await joinedRelays(), await joinedRelays(), await joinedRelays()]
    for (const id of numbers) world.relay({ processId: () => id })
    await Promise.all([fireEvents(150), fireEvents(150)])
    await world.allSettled()
    for (const { received } of there) {
      assert.equal(received.length, 300)
      assert.equal(new Set(idsOf(received)).size, 300)
    }
  })

  test('a delivery claimed by a dead process is sent immediately, and a delivery claimed by a live process once the claim expires', async () => {
    leaves({ events: { 'project.reverted': 2 }, activity: { 'webhook.created': 1 } })
    const there = await world.receiver()
    await world.subscribe(ann, there.url)
    const [living, dead] = [await joinedRelays(), 1_000_000]
    await fireEvents(2)
    const claim = `claimed_until = now() + interval '1 minute', claimed_by = $1, attempt = 4`
    await runQuery(`update deliveries set ${claim} where event_id = (select min(event_id) from deliveries)`, [
      dead,
    ])
    await runQuery(`update deliveries set ${claim} where event_id = (select max(event_id) from deliveries)`, [
      living,
    ])
    const [first, second] = await world.open()
    world.relay({ processId: () => living })
    await there.until(1)
    await waitUntilTrue(async () => (await world.open()).length === 1)
    assert.deepEqual(idsOf(there.received), [first?.event_id])
    const [kept] = await world.open()
    assert.deepEqual([kept?.event_id, kept?.attempt, kept?.claimed_by], [second?.event_id, 4, living])

    await runQuery(`update deliveries set claimed_until = now() - interval '1 second'`)
    await runQuery('notify deliveries')
    await there.until(2)
    await world.allSettled()
  })

  test('a failed delivery attempt is not counted when another process has claimed the delivery meanwhile', async () => {
    leaves({ events: { 'project.reverted': 1 }, activity: { 'webhook.created': 1 } })
    const there = await world.receiver(async (res) => {
      await runQuery('update deliveries set claimed_by = 77, attempt = 1')
      res.writeHead(500).end()
    })
    await world.subscribe(ann, there.url)
    const relay = world.relay()
    await fireEvents(1)
    await there.until(1)
    await relay.stop()
    const [row] = await world.open()
    assert.deepEqual([row?.attempt, row?.claimed_by], [1, 77])
  })

  test('stopping the sender of deliveries waits for attempts in flight and stores their outcomes', async () => {
    leaves({ events: { 'project.reverted': 1 }, activity: { 'webhook.created': 1 } })
    const there = await world.receiver((res) => void setTimeout(() => res.writeHead(204).end(), 100))
    const { id } = await world.subscribe(ann, there.url)
    const relay = world.relay()
    await fireEvents(1)
    await waitUntilTrue(async () => (await world.open()).some((row) => row.claimed_by !== null))
    await relay.stop()
    assert.deepEqual(await world.open(), [])
    assert.equal(await world.lastDeliveryAt(ann, id), world.app.clock.now().toISOString())
  })

  test('stopping the sender of deliveries aborts a hanging attempt without counting a failure, and the next sender repeats the attempt', async () => {
    leaves({ events: { 'project.reverted': 1 }, activity: { 'webhook.created': 1 } })
    const there = await world.receiver(() => {})
    await world.subscribe(ann, there.url)
    const relay = world.relay()
    await fireEvents(1)
    await there.until(1)
    await relay.stop()
    const [row] = await world.open()
    assert.deepEqual([row?.attempt, row?.claimed_by, row?.claimed_until], [0, null, null])
    there.reply((res) => res.writeHead(204).end())
    world.relay()
    await there.until(2)
    await world.allSettled()
  })

  test('deleting a webhook endpoint cancels its deliveries, including scheduled retries', async () => {
    leaves({ events: { 'project.reverted': 3 }, activity: { 'webhook.created': 2, 'webhook.deleted': 1 } })
    const [gone, stays] = [await world.receiver((res) => res.writeHead(500).end()), await world.receiver()]
    const { id } = await world.subscribe(ann, gone.url)
    await world.subscribe(ann, stays.url)
    world.relay()
    await fireEvents(1)
    await Promise.all([gone.until(1), stays.until(1)])
    await world.attempted(1)
    assert.equal((await ann.call(`DELETE /webhooks/${id}`)).status, 200)
    await fireEvents(1)
    await world.advance(BASE_SECONDS * 2000)
    await stays.until(2)
    // A retry to the deleted endpoint would be sent before the next delivery to the other endpoint.
    await fireEvents(1)
    await stays.until(3)
    assert.equal(gone.received.length, 1)
  })

  test('a webhook secret that cannot be decrypted fails the attempts of its own endpoint only', async () => {
    leaves({ events: { 'project.reverted': 1 }, activity: { 'webhook.created': 2 } })
    const [broken, good] = [await world.receiver(), await world.receiver()]
    const { id } = await world.subscribe(ann, broken.url)
    await world.subscribe(ann, good.url)
    await runQuery('update webhook_endpoints set secret = $2 where id = $1', [id, 'k1.x.y'])
    world.relay()
    await fireEvents(1)
    await good.until(1)
    await world.attempted(1)
    assert.equal(broken.received.length, 0)
  })
})
