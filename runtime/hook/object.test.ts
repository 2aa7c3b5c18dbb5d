import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  recordErrors,
} from '../data/partition/objects.test.fixture.ts'
import type { WriteOp } from '../data/frames.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { Delivery, HookEvent } from './types.ts'

const MANIFEST: Manifest = {
  name: 'Payments',
  migrations: [],
  collections: {
    payments: {
      title: 'Payments',
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: {
        body: { type: 'json' },
        status: { type: 'enum', values: ['received', 'handled', 'failed'] },
        attempts: { type: 'integer' },
        lastError: { type: 'text' },
      },
    },
    // This collection has no field for the body, so that a test can send a handler a body larger than a record.
    pings: { title: 'Pings', partition: 'app', read: 'staff', write: 'nobody', fields: {} },
    strict: {
      title: 'Strict',
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: { customer: { type: 'text', required: true } },
    },
    invoices: {
      title: 'Invoices',
      partition: 'app',
      read: 'staff',
      write: 'staff',
      fields: { payment: { type: 'ref', ref: 'payments', onRemove: 'refuse' } },
    },
  },
  hooks: [{ name: 'pay', scheme: 'stripe', collection: 'payments', handler: 'on-payment' }],
}
const HASH = 'release-1'
const APP = 'data:app'
const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]

describe('the messages of webhook endpoints', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let events: HookEvent[]
  let logged: { message: string; route: string }[]
  let answer: () => Promise<{ ok: boolean; error?: string }>
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    logged = recordErrors()
    events = []
    answer = async () => ({ ok: true })
    world = await start()
  })
  after(() => ObjectWorld.uninstall())

  const start = async (env: Record<string, unknown> = {}) => {
    const hook = (_name: string, event: HookEvent) => {
      events.push(event)
      return answer()
    }
    const made = new ObjectWorld(modules, { APP: { hook }, ...env })
    await made.release(HASH, MANIFEST)
    return made
  }
  const delivery = (deliveryId: string, more: Partial<Delivery> = {}): Delivery => ({
    endpoint: 'pay',
    collection: 'payments',
    handler: 'on-payment',
    deliveryId,
    headers: {},
    body: { n: 1 },
    ...more,
  })
  const take = async (deliveryId: string, more: Partial<Delivery> = {}, at = world) => {
    const taken = await at.run(
      at.stub(APP).hook('take', { hash: HASH, delivery: delivery(deliveryId, more) }),
    )
    if (taken?.ok !== true) throw new Error(taken?.error.code ?? 'unprepared')
    return taken.value
  }
  const record = async (id: string, collection = 'payments') => {
    const [row] = await world.run(world.stub(APP).readRows(collection, [id]))
    return row === undefined ? null : JSON.parse(row.json)
  }
  const write = (...ops: WriteOp[]) => world.run(world.stub(APP).data(HASH, 'system', { kind: 'write', ops }))
  /** Advances the clock to the alarm of the messages and runs that alarm. The object also has other alarms. */
  const wake = async (at = world) => {
    const due = hooksAt(at)
    do await at.alarm(APP)
    while (Date.now() < due)
    await at.pass()
  }
  const hooksAt = (at = world) =>
    Number(at.rowsOf(APP, "select at from _alarms where kind = 'hooks'")[0]?.['at'])
  const alarm = async (at = world) => {
    await wake(at)
    await at.settle()
  }

  test('delivering a webhook message again creates a second record only after 72 hours', async () => {
    const first = await take('d1')
    mock.timers.tick(71.9 * 3_600_000)
    assert.deepEqual(await take('d1'), { id: first.id, isNew: false })
    mock.timers.tick(0.2 * 3_600_000)
    assert.equal((await take('d1')).isNew, true)
  })

  test('webhook messages with the same delivery id at two endpoints are stored as two messages', async () => {
    const [one, other] = [await take('d1'), await take('d1', { endpoint: 'other', handler: null })]
    assert.deepEqual([one.isNew, other.isNew], [true, true])
  })

  test('a webhook message that cannot be stored as a record starts no handler, and can be delivered again', async () => {
    await assert.rejects(take('d1', { collection: 'strict' }), /invalid_request/)
    await assert.rejects(take('d2', { collection: 'constructor' }), /not_found/)
    assert.deepEqual(world.rowsOf(APP, "select name from sqlite_master where name = '_hook_work'"), [])
    assert.equal((await take('d1')).isNew, true)
    await alarm()
    assert.equal(events.length, 1)
  })

  test('a webhook message is not stored while the Durable Object lacks the manifest of the release that received it', async () => {
    const ask = { hash: 'release-9', delivery: delivery('d1') }
    assert.equal(await world.run(world.stub(APP).hook('take', ask)), null)
    assert.deepEqual(world.rowsOf(APP, "select name from sqlite_master where name = '_hook_messages'"), [])
  })

  test("a webhook handler that always fails runs six times, and then its message's record has the error and is failed", async () => {
    answer = async () => ({ ok: false, error: 'no such customer' })
    const { id } = await take('d1')
    const seen: unknown[] = []
    for (let times = 0; times < 6; times++) {
      await alarm()
      const { status, attempts, lastError } = (await record(id)) ?? {}
      seen.push([status, attempts, lastError])
    }
    assert.deepEqual(
      seen,
      [1, 2, 3, 4, 5, 6].map((n) => [n < 6 ? 'received' : 'failed', n, 'no such customer']),
    )
    // Only the alarm that deletes the message after 30 days is left.
    assert.ok(hooksAt() > Date.now() + 29 * DAY_MS)
    assert.equal(events.length, 6)
  })

  test('a webhook handler that throws, or whose worker is unreachable, counts as failed and is retried', async () => {
    answer = async () => {
      throw new Error('the worker ended')
    }
    const { id } = await take('d1')
    await alarm()
    assert.deepEqual(
      [(await record(id))?.['status'], (await record(id))?.['lastError']],
      ['received', 'the worker ended'],
    )
    answer = async () => ({ ok: true })
    await alarm()
    assert.deepEqual([(await record(id))?.['status'], (await record(id))?.['lastError']], ['handled', null])
  })

  test('a webhook handler that is interrupted each time restarts when its lease expires, and fails after six attempts', async () => {
    answer = () => new Promise(() => {})
    const { id } = await take('d1')
    for (let rounds = 0; rounds < 20 && (await record(id))?.['status'] === 'received'; rounds++) {
      await wake()
      world.restart(APP)
    }
    assert.deepEqual(
      [events.length, (await record(id))?.['status'], (await record(id))?.['lastError']],
      [6, 'failed', 'It did not end in time.'],
    )
    const message = 'on-payment was given up after 6 attempts: It did not end in time.'
    assert.deepEqual(logged, [{ message, route: 'job on-payment' }])
  })

  test('an outgoing webhook message that is always interrupted fails permanently after six attempts and logs an error', async () => {
    world = await start({ HOOK_SEND_KEY: 'c2VjcmV0' })
    const url = 'https://shop.test/hook'
    const { mock: sending } = mock.method(globalThis, 'fetch', () => new Promise(() => {}))
    await world.run(world.stub(APP).hook('send', { id: 'm1', url, body: '{}' }))
    for (let rounds = 0; rounds < 20 && logged.length === 0; rounds++) {
      await wake()
      world.restart(APP)
    }
    const message = `${url} was given up after 6 attempts: It did not end in time.`
    assert.deepEqual([sending.callCount(), logged], [6, [{ message, route: 'hook.send' }]])
    sending.restore()
  })

  test('an outcome that a webhook handler returns after its lease has expired is ignored', async () => {
    const starts = [0, 1].map(() => Promise.withResolvers<{ ok: boolean; error?: string }>())
    answer = () => starts[events.length - 1]?.promise ?? Promise.resolve({ ok: true })
    const { id } = await take('d1')
    // The second alarm ends the lease, and the third one starts the second attempt.
    for (let times = 0; times < 3; times++) await wake()
    assert.equal(events.length, 2)
    starts[0]?.resolve({ ok: false, error: 'too late' })
    await world.pass()
    assert.deepEqual([(await record(id))?.['status'], (await record(id))?.['lastError']], ['received', null])
    starts[1]?.resolve({ ok: true })
    await world.settle()
    assert.deepEqual([(await record(id))?.['status'], (await record(id))?.['attempts']], ['handled', 2])
  })

  test('a webhook message whose record is set back to "received" is handled again, once even if the record is set twice', async () => {
    const { id } = await take('d1')
    await alarm()
    const reset: WriteOp = { op: 'update', collection: 'payments', id, fields: { status: 'received' } }
    await write(reset)
    await write(reset)
    const replayed = await world.run(world.stub(APP).hook('replay', { id }))
    assert.equal(replayed?.ok, true)
    await alarm()
    assert.equal(events.length, 2)
    assert.deepEqual(events[1], events[0])
    assert.equal((await record(id))?.['status'], 'handled')
  })

  test('a webhook message that is unknown, or whose record was removed, cannot be replayed', async () => {
    const { id } = await take('d1')
    await alarm()
    await write({ op: 'remove', collection: 'payments', id })
    for (const one of [id, 'unknown', undefined, { id }])
      assert.deepEqual(await world.run(world.stub(APP).hook('replay', { id: one as string })), {
        ok: false,
        error: { code: 'not_found', message: 'There is no such message.' },
      })
  })

  test('a webhook handler still runs when the record of its message was removed in the meantime', async () => {
    const { id } = await take('d1')
    await write({ op: 'remove', collection: 'payments', id })
    await alarm()
    assert.deepEqual([events.length, await record(id)], [1, null])
  })

  test('webhook messages older than the retention period are deleted with their records, except records that others refer to', async () => {
    world = await start({ HOOK_KEEP_DAYS: '2' })
    const [gone, used] = [await take('d1'), await take('d2')]
    await alarm()
    await write({ op: 'create', collection: 'invoices', fields: { payment: used.id } })
    mock.timers.tick(1.9 * DAY_MS)
    assert.notEqual(await record(gone.id), null)
    for (let times = 0; times < 2; times++) await alarm()
    assert.deepEqual([await record(gone.id), (await record(used.id))?.['status']], [null, 'handled'])
    assert.deepEqual(world.rowsOf(APP, 'select id from _hook_messages'), [])
  })

  test("while the app's worker is not deployed, webhook messages wait, and their handlers run once it is deployed", async () => {
    const { APP: app } = world.env
    delete world.env['APP']
    const { id } = await take('d1')
    for (let times = 0; times < 3; times++) {
      await alarm()
      assert.equal(Math.round((hooksAt() - Date.now()) / MINUTE_MS), 5)
    }
    assert.deepEqual([(await record(id))?.['status'], (await record(id))?.['attempts']], ['received', 0])
    world.env['APP'] = app
    await world.run(world.stub(APP).resumeHooks())
    assert.ok(hooksAt() <= Date.now())
    await alarm()
    assert.equal((await record(id))?.['status'], 'handled')
  })

  test('a webhook handler that ends during a copy to another cloud account runs again in the new account', async () => {
    const running = Promise.withResolvers<{ ok: boolean }>()
    answer = () => running.promise
    const { id } = await take('d1')
    await wake()
    await world.run(world.stub(APP).hold(true))
    running.resolve({ ok: true })
    await world.settle()
    assert.equal((await record(id))?.['status'], 'received')
    await assert.rejects(take('d2'), /unavailable/)
    const there = await start()
    const head = await world.run(world.stub(APP).head())
    for (let times = 0; times < 2; times++)
      await there.run(there.stub(APP).takeHead(head, { hash: HASH, manifest: MANIFEST }))
    answer = async () => ({ ok: true })
    await alarm(there)
    assert.deepEqual([events.length, events[1]?.deliveryId], [2, 'd1'])
    assert.deepEqual(await take('d1', {}, there), { id, isNew: false })
  })

  test('a webhook message that is too large to be copied to another cloud account does not prevent copying smaller ones', async () => {
    await take('large', { collection: 'pings', body: 'x'.repeat(600_000) })
    await take('small', { collection: 'pings' })
    const there = await start()
    const head = await world.run(world.stub(APP).head())
    await there.run(there.stub(APP).takeHead(head, { hash: HASH, manifest: MANIFEST }))
    await alarm(there)
    assert.deepEqual(
      events.map(({ deliveryId }) => deliveryId),
      ['small'],
    )
  })

  test('with 1000 outgoing webhook messages waiting, sending another one is rejected with a conflict', async () => {
    const send = (n: number) =>
      world.run(world.stub(APP).hook('send', { id: `msg_${n}`, url: 'https://example.com/', body: '{}' }))
    for (let n = 0; n < 1000; n++) assert.equal((await send(n))?.ok, true)
    const refused = await send(1000)
    assert.equal(refused?.ok === false && refused.error.code, 'conflict')
  })
})
