import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import type { ObjectState } from 'cloudflare:workers'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { Alarms } from '../kernel/objects/alarms.ts'
import { Hold } from '../kernel/objects/hold.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { validateNotification } from './message.ts'
import type { PushDump } from './devices.ts'
import type { ObjectPush } from './object.ts'
import { createPushReceiver, type PushReceiver } from './receiver.ts'
import type { PushReport } from './types.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'

const NOW = Date.parse('2026-11-20T10:30:00Z')
const MINUTE_MS = 60_000
const VAPID_PRIVATE_KEY = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  .privateKey.export({ type: 'pkcs8', format: 'der' })
  .toString('base64url')
const MESSAGE = { title: 'Hello', body: 'There', url: '/' }

const importObject = () => importInWorkerd(() => import('./object.ts'))

const deviceId = (n: number) => String(n).padStart(64, '0')

/** An object whose storage survives a restart, and a push service whose responses the test sets. */
class World {
  readonly storage = { ...memoryStorage(), setAlarm: async () => {}, deleteAll: async () => {} }
  readonly hold = new Hold(this.storage)
  readonly released: string[] = []
  readonly requests: { url: string; headers: Headers; body: Uint8Array }[] = []
  readonly receivers = new Map<string, PushReceiver>()
  /** Returns the push service's status; null when the service is unreachable. A promise may stay pending. */
  answer: (url: string) => number | null | Promise<number> = () => 201
  readonly #work: Promise<unknown>[] = []
  readonly #make: typeof ObjectPush
  push!: ObjectPush

  constructor(make: typeof ObjectPush) {
    this.#make = make
    this.restart()
    replaceFetch(async (url: string, init: RequestInit) => {
      this.requests.push({
        url,
        headers: new Headers(init.headers),
        body: new Uint8Array(init.body as Uint8Array<ArrayBuffer>),
      })
      const status = await this.answer(url)
      if (status === null) throw new TypeError('no route')
      return new Response(null, { status })
    })
  }

  /** Restarts the object with only its stored data. */
  restart(): void {
    this.#work.length = 0
    const ctx = { storage: this.storage, waitUntil: (work: Promise<unknown>) => void this.#work.push(work) }
    this.push = new this.#make(
      {
        ctx: ctx as unknown as ObjectState,
        env: { VAPID_PRIVATE_KEY },
        tier: 'production',
        hold: this.hold,
        alarms: new Alarms(this.storage),
      },
      async (id) => void this.released.push(id),
    )
  }

  async add(n: number, isPersonThere = true) {
    const receiver = await createPushReceiver(`https://push.example.com/${n}`)
    this.receivers.set(receiver.subscription.endpoint, receiver)
    const device = { id: deviceId(n), host: 'app.example.com', ...receiver.subscription }
    return this.push.answer('add', device, isPersonThere)
  }

  async send(more: object = {}): Promise<PushReport> {
    const answer = await this.push.answer(
      'send',
      validateNotification({ ...MESSAGE, ...more }, null, Date.now()),
      true,
    )
    if (answer.ok) return answer.value
    throw new Error(answer.error.code)
  }

  /** Runs the alarm and waits for the sends it starts. */
  async wake(): Promise<void> {
    this.push.wake()
    await Promise.all(this.#work.splice(0))
  }

  /** Returns the titles of the notifications that devices received, in order. */
  shown(): Promise<string[]> {
    return Promise.all(
      this.requests.map(({ url, body }) => this.receivers.get(url)?.decrypt(body) ?? Promise.resolve('')),
    )
  }

  endpoints(): string[] {
    return this.requests.splice(0).map(({ url }) => url.slice(-1))
  }
}

describe('the devices of a person', () => {
  let make: typeof ObjectPush
  let logged: { message: string; route: string }[]
  before(async () => {
    make = (await importObject()).ObjectPush
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date'], now: NOW })
    logged = recordErrors()
  })
  after(() => {
    restoreFetch()
    mock.restoreAll()
    mock.timers.reset()
  })

  test('each device of a person gets a notification that only it can decrypt, signed for its push service', async () => {
    const world = new World(make)
    for (const n of [1, 2]) await world.add(n)
    assert.deepEqual(await world.send({ ttlSeconds: 60, urgency: 'high' }), { sent: 2, gone: 0, failed: 0 })
    for (const text of await world.shown()) assert.deepEqual(JSON.parse(text), MESSAGE)
    const { headers } = world.requests[0]!
    assert.match(headers.get('authorization') ?? '', /^vapid t=\S+, k=\S+$/)
    assert.deepEqual(
      ['content-encoding', 'ttl', 'urgency'].map((name) => headers.get(name)),
      ['aes128gcm', '60', 'high'],
    )
    // A notification that the push service accepted is no longer stored.
    world.restart()
    await world.wake()
    assert.equal(world.requests.length, 2)
  })

  test('a device whose push subscription has ended is removed, and the other devices are kept', async () => {
    const world = new World(make)
    for (const n of [1, 2, 3]) await world.add(n)
    world.answer = (url) => ({ 1: 404, 2: 410 })[url.slice(-1)] ?? 201
    assert.deepEqual(await world.send(), { sent: 1, gone: 2, failed: 0 })
    assert.deepEqual(world.released.toSorted(), [deviceId(1), deviceId(2)])
    world.endpoints()
    assert.deepEqual(await world.send(), { sent: 1, gone: 0, failed: 0 })
    assert.deepEqual(world.endpoints(), ['3'])
  })

  test('a notification is retried three times while its push service is busy, failing or unreachable', async () => {
    for (const status of [429, 500, 503, null]) {
      const world = new World(make)
      await world.add(1)
      world.answer = () => status
      assert.deepEqual(await world.send(), { sent: 0, gone: 0, failed: 1 })
      for (let round = 0; round < 8; round++) {
        mock.timers.tick(5 * MINUTE_MS)
        await world.wake()
      }
      assert.equal(world.requests.length, 4, String(status))
      assert.equal(world.push.count(), 1)
    }
  })

  test('a retried notification is not sent again once accepted, and keeps its original expiry', async () => {
    const world = new World(make)
    await world.add(1)
    world.answer = () => 503
    await world.send({ ttlSeconds: 90 })
    world.answer = () => 201
    mock.timers.tick(MINUTE_MS)
    await world.wake()
    mock.timers.tick(60 * MINUTE_MS)
    await world.wake()
    assert.deepEqual(
      world.requests.map(({ headers }) => headers.get('ttl')),
      ['90', '30'],
    )
  })

  test('a notification is not retried after its time to live, and its device is kept', async () => {
    const world = new World(make)
    await world.add(1)
    world.answer = () => 503
    await world.send({ ttlSeconds: 60 })
    world.answer = () => 201
    mock.timers.tick(MINUTE_MS)
    await world.wake()
    mock.timers.tick(60 * MINUTE_MS)
    await world.wake()
    assert.deepEqual([world.requests.length, world.push.count()], [1, 1])
  })

  test('a notification with a time to live of zero is sent and does not count as expired', async () => {
    const world = new World(make)
    await world.add(1)
    assert.deepEqual(await world.send({ ttlSeconds: 0 }), { sent: 1, gone: 0, failed: 0 })
    assert.equal(world.requests[0]?.headers.get('ttl'), '0')
  })

  test('a notification that a push service permanently rejects is not retried', async () => {
    const world = new World(make)
    await world.add(1)
    for (const status of [301, 400, 403, 413]) {
      world.answer = () => status
      assert.deepEqual(await world.send(), { sent: 0, gone: 0, failed: 1 })
    }
    mock.timers.tick(60 * MINUTE_MS)
    await world.wake()
    assert.equal(world.requests.length, 4)
    assert.equal(world.push.count(), 1)
  })

  test('a notification whose sending was interrupted by a crash is sent again', async () => {
    const world = new World(make)
    await world.add(1)
    world.answer = () => new Promise<number>(() => {})
    void world.send()
    // Wait until the request is being sent.
    while (world.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    world.restart()
    world.answer = () => 201
    for (let minutes = 0; minutes < 20; minutes += 5) {
      mock.timers.tick(5 * MINUTE_MS)
      await world.wake()
    }
    assert.equal(world.requests.length, 2)
  })

  test('a notification that is always interrupted fails permanently after four attempts and logs an error', async () => {
    const world = new World(make)
    await world.add(1)
    world.answer = () => new Promise<number>(() => {})
    void world.send({ ttlSeconds: 86_400 })
    for (let attempt = 1; attempt <= 4; attempt++) {
      // Wait until the request is being sent.
      while (world.requests.length < attempt) await new Promise((resolve) => setImmediate(resolve))
      world.restart()
      mock.timers.tick(15 * MINUTE_MS)
      world.push.wake()
      // The pause after a failed attempt.
      mock.timers.tick(5 * MINUTE_MS)
      world.push.wake()
    }
    assert.deepEqual(
      [world.requests.length, logged],
      [4, [{ message: 'A notification was not accepted by push.example.com.', route: 'push.send' }]],
    )
  })

  test('during a long outage of a push service, new notifications fail at once and are not stored', async () => {
    const world = new World(make)
    for (let n = 0; n < 10; n++) await world.add(n)
    world.answer = () => 503
    for (let round = 0; round < 20; round++) await world.send()
    assert.equal(world.requests.length, 200)
    assert.deepEqual(await world.send(), { sent: 0, gone: 0, failed: 10 })
    assert.equal(world.requests.length, 200)
  })

  test('an eleventh device of a person replaces the oldest, and adding the same device twice stores it once', async () => {
    const world = new World(make)
    for (let n = 0; n < 10; n++) await world.add(n)
    await world.add(0)
    assert.equal(world.push.count(), 10)
    await world.add(10)
    assert.equal(world.push.count(), 10)
    assert.deepEqual(world.released, [deviceId(1)])
    await world.send()
    const seen = world.requests.map(({ url }) => Number(url.split('/').at(-1))).toSorted((a, b) => a - b)
    assert.deepEqual(seen, [0, 2, 3, 4, 5, 6, 7, 8, 9, 10])
  })

  test('no push devices are stored and no notifications sent for a person who does not exist', async () => {
    const world = new World(make)
    const answer = await world.add(1, false)
    assert.deepEqual([answer.ok, !answer.ok && answer.error.code], [false, 'unauthorized'])
    assert.deepEqual([world.push.count(), world.push.dump()], [0, null])
    assert.deepEqual(await world.send(), { sent: 0, gone: 0, failed: 0 })
  })

  test("an app's move to another cloud account copies devices and notifications, and sends none until it ends", async () => {
    const world = new World(make)
    await world.add(1)
    world.answer = () => 503
    await world.send()
    world.hold.set(true)
    await assert.rejects(world.send(), { message: 'unavailable' })
    assert.equal((await world.add(2)).ok, false)
    mock.timers.tick(10 * MINUTE_MS)
    await world.wake()
    assert.equal(world.requests.length, 1)
    const moved = JSON.parse(JSON.stringify(world.push.dump())) as PushDump
    const there = new World(make)
    for (const [endpoint, receiver] of world.receivers) there.receivers.set(endpoint, receiver)
    for (const _twice of [1, 2]) there.push.restore(moved)
    assert.equal(there.push.count(), 1)
    mock.timers.tick(10 * MINUTE_MS)
    await there.wake()
    assert.deepEqual(
      (await there.shown()).map((text) => JSON.parse(text) as object),
      [MESSAGE],
    )
  })
})
