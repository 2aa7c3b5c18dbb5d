import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import type { Objects } from '../kernel/objects/objects.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest } from '../manifest.gen.ts'
import { passTimeUntil } from '../testing/time.test.fixture.ts'
import type { QueueName } from '../types.gen.ts'
import { JobKeys } from './keys.ts'
import type { Job } from './server.ts'
import type { Envelope, QueueCalls } from './types.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const LEASE_MS = 10_000
const REPORT = 'report' as QueueName
const KB = 1000

const importQueue = () =>
  importInWorkerd(async () => {
    const [{ queue }, { handleQueue }] = await Promise.all([import('./server.ts'), import('./rpc.ts')])
    return { queue, handleQueue }
  })
type Queue = Awaited<ReturnType<typeof importQueue>>

describe('sending jobs to the queue of an app', () => {
  let modules: Queue
  let queue: Queue['queue']
  let batches: { body: Envelope; contentType: string; delaySeconds: number }[][]
  let calls: string[]
  /** Called before each call to the live worker or to the queue. May throw, or return a promise. */
  let beforeCall: (call: string) => unknown
  let isHeld: boolean
  before(async () => {
    modules = await importQueue()
    queue = modules.queue
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: NOW })
    manifest.queues = [{ name: REPORT, handler: 'make-report' }]
    enableCapabilities('queue')
    batches = []
    calls = []
    beforeCall = () => {}
    isHeld = false
    const keys = new JobKeys(memoryStorage())
    const jobKeys = async (kind: string, { id = '', key }: { id?: string; key: string | null }) => {
      if (kind === 'claim' && isHeld) return null
      if (key === null) return { state: 'yours', id }
      if (kind === 'claim') return keys.claim(key, id, Date.now())
      keys[kind as 'sent' | 'release'](key)
      return undefined
    }
    const objects = { getByName: () => ({ jobKeys }) } as unknown as Objects
    workerEnv['LIVE'] = {
      queue: async (kind: keyof QueueCalls, ask: never) => {
        calls.push(kind)
        await beforeCall(kind)
        return await modules.handleQueue({ objects, tier: 'production', env: {} }, kind, ask)
      },
    }
    workerEnv['JOBS'] = {
      sendBatch: async (batch: (typeof batches)[number]) => {
        await beforeCall('sendBatch')
        batches.push(batch)
      },
    }
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
    enableCapabilities()
    delete manifest.queues
    for (const name of ['LIVE', 'JOBS']) delete workerEnv[name]
  })

  const sentIds = () => batches.flat().map(({ body }) => body.id)
  const invalid = (field: string, problem: string) => ({
    code: 'invalid_request',
    message: `${field}: ${problem}`,
    field,
  })
  test('a sent job is in the queue with its data, its delay and its own id when the promise of sending resolves', async () => {
    const { id } = await queue.send(REPORT, { month: '2026-11' }, { delaySeconds: 3600 })
    assert.match(id, /^job_[\da-f]{32}$/)
    assert.deepEqual(batches, [
      [
        {
          body: { v: 1, name: 'report', id, data: { month: '2026-11' } },
          contentType: 'json',
          delaySeconds: 3600,
        },
      ],
    ])
    await queue.send(REPORT)
    assert.deepEqual([batches[1]?.[0]?.body.data, batches[1]?.[0]?.delaySeconds], [null, 0])
  })

  test('a job for an unknown queue, with an invalid delay, or with data that is not JSON of at most 120 kB is refused', async () => {
    const unknown = invalid('name', 'there is no queue other; app.json declares them')
    await assert.rejects(queue.send('other'), unknown)
    for (const delaySeconds of [-1, 86_401, 1.5, Number.NaN, '5', null])
      await assert.rejects(
        queue.send(REPORT, null, { delaySeconds: delaySeconds as number }),
        invalid('delaySeconds', 'must be a whole number from 0 to 86400'),
      )
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    for (const data of [5n, circular])
      await assert.rejects(queue.send(REPORT, data), invalid('data', 'must be JSON'))
    await assert.rejects(queue.send(REPORT, 'é'.repeat(60 * KB)), invalid('data', 'is larger than 120 kB'))
    assert.deepEqual([batches, calls], [[], []])
    await queue.send(REPORT, 'é'.repeat(59 * KB), { delaySeconds: 86_400 })
    assert.equal(batches.length, 1)
  })

  test('of two jobs with the same idempotency key only the first is sent, and both calls return its id', async () => {
    const first = await queue.send(REPORT, 1, { key: 'report 2026-11' })
    const second = await queue.send(REPORT, 2, { key: 'report 2026-11' })
    const other = await queue.send(REPORT, 3, { key: 'report 2026-12' })
    assert.deepEqual(second, first)
    assert.deepEqual(sentIds(), [first.id, other.id])
    mock.timers.tick(86_400_000)
    assert.notEqual((await queue.send(REPORT, 4, { key: 'report 2026-11' })).id, first.id)
  })

  test('sending a second job with the same idempotency key waits until the first is in the queue', async () => {
    const gate = Promise.withResolvers<void>()
    beforeCall = (call) => (call === 'sendBatch' ? gate.promise : undefined)
    const both = [queue.send(REPORT, 1, { key: 'k' }), queue.send(REPORT, 2, { key: 'k' })]
    for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => setImmediate(resolve))
    assert.deepEqual(batches, [])
    gate.resolve()
    const [first, second] = await passTimeUntil(Promise.all(both))
    assert.deepEqual([second, sentIds()], [first, [first?.id]])
  })

  test('when sending a job fails, its idempotency key can be used again at once', async () => {
    let failures = 1
    beforeCall = (call) => {
      if (call === 'sendBatch' && failures-- > 0) throw new Error('Too many requests')
    }
    const failed = { code: 'unavailable', message: 'The job could not be sent. Try again.' }
    await assert.rejects(queue.send(REPORT, 1, { key: 'k' }), failed)
    const { id } = await queue.send(REPORT, 2, { key: 'k' })
    assert.deepEqual([sentIds(), Date.now()], [[id], NOW])
  })

  test('when a job cannot be sent and its idempotency key cannot be released, the key is free after ten seconds', async () => {
    beforeCall = (call) => {
      if (call === 'sendBatch' || call === 'release') throw new Error('The object restarts.')
    }
    const failed = { code: 'unavailable', message: 'The job could not be sent. Try again.' }
    await assert.rejects(queue.send(REPORT, 1, { key: 'k' }), failed)
    beforeCall = () => {}
    const { id } = await passTimeUntil(queue.send(REPORT, 2, { key: 'k' }))
    assert.deepEqual(sentIds(), [id])
    assert.ok(Date.now() - NOW >= LEASE_MS)
  })

  test("a process that stops before its job is in the queue blocks the job's idempotency key for ten seconds", async () => {
    const sending = Promise.withResolvers<void>()
    beforeCall = (call) => {
      if (call !== 'sendBatch') return undefined
      sending.resolve()
      return new Promise(() => {})
    }
    void queue.send(REPORT, 1, { key: 'k' })
    await sending.promise
    beforeCall = () => {}
    const { id } = await passTimeUntil(queue.send(REPORT, 2, { key: 'k' }))
    assert.deepEqual(sentIds(), [id])
    assert.ok(Date.now() - NOW >= LEASE_MS)
  })

  test('a job with an idempotency key counts as sent even if the first attempt to store this fails', async () => {
    let failures = 1
    beforeCall = (call) => {
      if (call === 'sent' && failures-- > 0) throw new Error('The object restarts.')
    }
    const first = await queue.send(REPORT, 1, { key: 'k' })
    assert.deepEqual([await queue.send(REPORT, 2, { key: 'k' }), sentIds()], [first, [first.id]])
  })

  test('sending a job with an idempotency key succeeds once it is in the queue, even if this cannot be stored', async () => {
    const logged = recordErrors()
    beforeCall = (call) => {
      if (call === 'sent') throw new Error('The object restarts.')
    }
    const { id } = await queue.send(REPORT, 1, { key: 'k' })
    assert.deepEqual(
      [sentIds(), logged],
      [[id], [{ message: 'The object restarts.', route: 'queue report' }]],
    )
  })

  test('many jobs are sent in batches no larger than the queue accepts, and their ids have the order of the jobs', async () => {
    const jobs = Array.from({ length: 100 }, (_, n): Job => ({ name: REPORT, data: n }))
    const ids = await queue.sendMany(jobs)
    assert.deepEqual([batches.length, sentIds()], [1, ids.map(({ id }) => id)])
    batches.length = 0
    const large = Array.from({ length: 5 }, (): Job => ({ name: REPORT, data: 'x'.repeat(119 * KB) }))
    await queue.sendMany(large)
    assert.deepEqual(
      batches.map(({ length }) => length),
      [2, 2, 1],
    )
    assert.deepEqual(await queue.sendMany([]), [])
  })

  test('sending more than a hundred jobs at once, or a value that is not a list of jobs, is refused', async () => {
    const jobs = Array.from({ length: 101 }, (): Job => ({ name: REPORT }))
    const refusal = invalid('jobs', 'must be a list of at most 100')
    for (const given of [jobs, {}, null, 'report'])
      await assert.rejects(queue.sendMany(given as Job[]), refusal)
    const unknown = invalid('name', 'there is no queue undefined; app.json declares them')
    for (const given of [[null], ['report'], [{}]])
      await assert.rejects(queue.sendMany(given as unknown as Job[]), unknown)
    assert.deepEqual([batches, calls], [[], []])
  })

  test('when one of several jobs is invalid, none is sent, even if only its idempotency key is invalid', async () => {
    const good: Job = { name: REPORT, data: 1 }
    const badKey = invalid('key', 'must have 1 to 200 characters')
    for (const [bad, refusal] of [
      [{ name: 'other' as QueueName }, invalid('name', 'there is no queue other; app.json declares them')],
      [{ name: REPORT, data: 5n }, invalid('data', 'must be JSON')],
      [{ name: REPORT, key: '' }, badKey],
      [{ name: REPORT, key: 'x'.repeat(201) }, badKey],
      [{ name: REPORT, key: 5 as unknown as string }, badKey],
    ] as const)
      await assert.rejects(queue.sendMany([good, bad]), refusal, refusal.message)
    assert.deepEqual([batches, calls], [[], []])
    await queue.sendMany([good, { name: REPORT, key: 'x'.repeat(200) }])
    assert.equal(batches.flat().length, 2)
  })

  test('jobs with and without an idempotency key can be sent together, and two with the same key are sent as one', async () => {
    const [a, b, c, d] = await passTimeUntil(
      queue.sendMany([
        { name: REPORT, data: 1 },
        { name: REPORT, data: 2, key: 'k' },
        { name: REPORT, data: 3, key: 'k' },
        { name: REPORT, data: 4 },
      ]),
    )
    assert.deepEqual([b, new Set(sentIds())], [c, new Set([a?.id, b?.id, d?.id])])
    assert.equal(sentIds().length, 3)
  })

  test('when a batch of jobs cannot be sent, the error says that not all jobs were sent', async () => {
    beforeCall = (call) => {
      if (call === 'sendBatch') throw new Error('Too many requests')
    }
    const failed = { code: 'unavailable', message: 'Not all jobs could be sent. Try again.' }
    await assert.rejects(queue.sendMany([{ name: REPORT }]), failed)
  })

  test('no job is sent without a queue, while queues are off, or during a move to another cloud account', async () => {
    const send = () => [
      queue.send(REPORT),
      queue.send(REPORT, 1, { key: 'k' }),
      queue.sendMany([{ name: REPORT }]),
    ]
    isHeld = true
    for (const sent of send()) await assert.rejects(sent, { code: 'unavailable' })
    isHeld = false
    enableCapabilities()
    for (const sent of send()) await assert.rejects(sent, { code: 'not_enabled' })
    enableCapabilities('queue')
    delete workerEnv['JOBS']
    for (const sent of send()) await assert.rejects(sent, { code: 'not_enabled' })
    assert.deepEqual(batches, [])
  })
})
