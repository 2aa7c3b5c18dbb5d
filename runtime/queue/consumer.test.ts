import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { jobModules } from '../handlers.gen.ts'
import type { JobInfo } from '../kernel/objects/jobs.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest } from '../manifest.gen.ts'
import type { Message } from './consumer.ts'

const AT = '2026-11-20T10:00:00.000Z'
const importConsumer = () => importInWorkerd(() => import('./consumer.ts'))

describe('the jobs of a batch of the queue', () => {
  let runJobs: Awaited<ReturnType<typeof importConsumer>>['runJobs']
  let ran: { data: unknown; info: JobInfo }[]
  let dead: unknown[]
  let logged: { message: string; route: string }[]
  /** Called before each call to the live worker or to the dead letter queue. May throw. */
  let beforeCall: (call: string) => void
  let work: (data: unknown) => unknown
  before(async () => {
    runJobs = (await importConsumer()).runJobs
  })
  beforeEach(() => {
    mock.restoreAll()
    logged = recordErrors()
    ran = []
    dead = []
    beforeCall = () => {}
    work = () => {}
    enableCapabilities('queue')
    manifest.queues = [
      { name: 'report', handler: 'make-report' },
      { name: 'twice', handler: 'make-report', retries: 1 },
      { name: 'never', handler: 'make-report', retries: 0 },
      { name: 'lost', handler: 'no-such-file' },
    ]
    const handler = async (data: unknown, info: JobInfo) => {
      ran.push({ data, info })
      await work(data)
    }
    Object.assign(jobModules, { 'make-report': { default: handler } })
    workerEnv['LIVE'] = {
      queue: async (kind: string) => {
        beforeCall(kind)
        return { ok: true, value: { maxRetries: 3 } }
      },
    }
    workerEnv['DEAD_JOBS'] = {
      send: async (body: unknown, options: object) => {
        beforeCall('dead')
        dead.push([body, options])
      },
    }
  })
  after(() => {
    mock.restoreAll()
    enableCapabilities()
    delete manifest.queues
    Reflect.deleteProperty(jobModules, 'make-report')
    for (const name of ['LIVE', 'DEAD_JOBS']) delete workerEnv[name]
  })

  const jobOf = (name: string, data: unknown = null) => ({ v: 1, name, id: `job_${name}`, data })
  /** Takes messages as one batch. Returns for each message whether it was acknowledged or is delivered again. */
  async function take(...messages: { body: unknown; attempts?: number }[]): Promise<string[][]> {
    const outcomes = messages.map((): string[] => [])
    await runJobs(
      messages.map(({ body, attempts = 1 }, i): Message => ({
        body,
        attempts,
        timestamp: new Date(AT),
        ack: () => void outcomes[i]?.push('ack'),
        retry: () => void outcomes[i]?.push('retry'),
      })),
    )
    return outcomes
  }
  const fail = () => Promise.reject(new Error('No printer.'))

  test('a queued job is called with its data, id and attempt number, and acknowledged once it is done', async () => {
    assert.deepEqual(await take({ body: jobOf('report', { month: 11 }), attempts: 2 }), [['ack']])
    const info = { id: 'job_report', attempt: 2, scheduledAt: AT, userId: null }
    assert.deepEqual([ran, dead, logged], [[{ data: { month: 11 }, info }], [], []])
  })

  test('of a batch of queued jobs only a failed one is retried, and its error is logged', async () => {
    work = (data) => (data === 'bad' ? fail() : undefined)
    const batch = ['good', 'bad', 'good'].map((data) => ({ body: jobOf('report', data) }))
    assert.deepEqual(await take(...batch), [['ack'], ['retry'], ['ack']])
    assert.deepEqual([dead, logged], [[], [{ message: 'No printer.', route: 'queue report' }]])
  })

  test('a job goes to the dead letters after the retries that its queue declares, or else those in the settings', async () => {
    work = fail
    for (const [name, retries] of [
      ['never', 0],
      ['twice', 1],
      ['report', 3],
    ] as const) {
      const body = jobOf(name)
      for (let attempts = 1; attempts <= retries; attempts++)
        assert.deepEqual(await take({ body, attempts }), [['retry']], `${name} ${attempts}`)
      assert.deepEqual(await take({ body, attempts: retries + 1 }), [['ack']], name)
      assert.deepEqual(dead.splice(0), [[body, { contentType: 'json' }]])
      assert.deepEqual(
        logged.splice(0),
        Array.from({ length: retries + 1 }, () => ({ message: 'No printer.', route: `queue ${name}` })),
      )
    }
  })

  test('a failed job is logged and retried even when the queue settings cannot be read', async () => {
    work = fail
    beforeCall = () => {
      throw new Error('The object restarts.')
    }
    assert.deepEqual(await take({ body: jobOf('report') }), [['retry']])
    assert.deepEqual(logged, [
      { message: 'No printer.', route: 'queue report' },
      { message: 'The object restarts.', route: 'queue ?' },
    ])
  })

  test('a job for which this release has no file goes to the dead letters without a retry', async () => {
    for (const name of ['unknown', 'lost', 'toString'])
      assert.deepEqual(await take({ body: jobOf(name) }), [['ack']], name)
    assert.deepEqual(
      [dead.length, logged.map(({ message, route }) => [message, route])],
      [
        3,
        ['unknown', 'lost', 'toString'].map((name) => [`This release has no job ${name}.`, `queue ${name}`]),
      ],
    )
  })

  test('a queue message that is not a job goes to the dead letters unchanged', async () => {
    const bodies = [
      null,
      'text',
      5,
      [],
      {},
      { ...jobOf('report'), v: 2 },
      { v: 1, name: 5, id: 'x' },
      { v: 1, name: 'report' },
    ]
    for (const body of bodies) assert.deepEqual(await take({ body }), [['ack']], JSON.stringify(body))
    assert.deepEqual([dead.map((one) => (one as unknown[])[0]), ran], [bodies, []])
    assert.deepEqual(
      new Set(logged.map(({ message }) => message)),
      new Set(['A queue message is not a job.']),
    )
  })

  test('a job that cannot be sent to the dead letters is retried, so that it is not lost', async () => {
    work = fail
    beforeCall = (call) => {
      if (call === 'dead') throw new Error('Too many requests')
    }
    assert.deepEqual(await take({ body: jobOf('never') }, { body: 'text' }), [['retry'], ['retry']])
    assert.deepEqual(logged.map(({ message }) => message).toSorted(), [
      'A queue message is not a job.',
      'No printer.',
      'Too many requests',
      'Too many requests',
    ])
  })

  test('while the queue capability is off, messages are returned to the queue and no job runs', async () => {
    enableCapabilities()
    assert.deepEqual(await take({ body: jobOf('report') }, { body: 'text' }), [['retry'], ['retry']])
    assert.deepEqual([ran, dead, logged], [[], [], []])
  })
})
