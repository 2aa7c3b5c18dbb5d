import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../testing/cloud.ts'
import { type Batch, DeliveryInterruptedError } from '../products/queues/deliveries.ts'
import { deleteScript, findScript } from '../store/scripts.ts'
import type { Script } from '../types.ts'
import { deliverBatch, deliverMail, fireTick } from './events.ts'
import { openWorkerGroups } from './testing.ts'
import { AppUnavailableError, WaitRefusedError } from '../workerd/groups.ts'

const TICK = { cron: '* * * * *', scheduledTime: 60_000 }

describe('the delivery of queue, cron and mail events to a worker', () => {
  let cloud: TestCloud
  let groups: Awaited<ReturnType<typeof openWorkerGroups>>
  let script: Script
  beforeEach(async () => {
    cloud = testCloud()
    groups = await openWorkerGroups()
    const source = 'export default { fetch() {}, queue() {}, scheduled() {} }'
    await cloud.call('PUT', '/A/workers/scripts/shop', uploadForm(source))
    script = findScript(cloud.store, cloud.accountId, 'shop') ?? assert.fail('no script')
    groups.answer = () => Response.json({ outcome: 'ok' })
  })
  afterEach(() => {
    groups.close()
    cloud.close()
  })

  const group = () => groups.group(script.groupId)
  const deps = () => ({ store: cloud.store, apps: groups.apps })
  const fire = () => fireTick(deps(), script, TICK)
  /** Returns the delay in milliseconds after which an interrupted event is delivered again. */
  const retryAfter = async (work: () => Promise<unknown>) => {
    try {
      return await work()
    } catch (error) {
      return error instanceof DeliveryInterruptedError ? error.retryAfterMs : error
    }
  }
  const batch = (): Batch => ({
    queue: { name: 'jobs' } as Batch['queue'],
    scriptId: script.id,
    metadata: { backlogCount: 1, backlogBytes: 2, oldestMessageTimestamp: 3 },
    messages: [
      {
        seq: 1,
        id: 'm1',
        format: 'text',
        body: Buffer.from('hi'),
        failures: 2,
        lease: null,
        sentAt: 5,
        visibleAt: 5,
      },
    ],
  })

  test('a queue batch reaches the worker with its attempt number, and missing fields of the outcome get defaults', async () => {
    groups.answer = () => Response.json({ outcome: 'ok', ackAll: true })
    assert.deepEqual(await deliverBatch(deps(), batch()), {
      outcome: 'ok',
      ackAll: true,
      retryBatch: { retry: false },
      explicitAcks: [],
      retryMessages: [],
    })
    assert.deepEqual(
      groups.requests.map(({ path, body }) => [path, JSON.parse(body)]),
      [
        [
          '/shop/queue',
          {
            queue: 'jobs',
            metadata: { backlogCount: 1, backlogBytes: 2, oldestMessageTimestamp: 3 },
            messages: [{ id: 'm1', timestamp: 5, attempts: 3, format: 'text', data: 'aGk=' }],
          },
        ],
      ],
    )
    assert.deepEqual(groups.calls, [`${script.groupId} enter _shims`, `${script.groupId} leave`])
  })

  test("delivering a cron event returns the worker's outcome", async () => {
    groups.answer = () => Response.json({ outcome: 'exception', message: 'broken' })
    assert.equal(await fire(), 'exception')
    assert.deepEqual(
      groups.requests.map(({ path, body }) => [path, JSON.parse(body)]),
      [['/shop/scheduled', TICK]],
    )
  })

  test('a queue, cron or mail event for which a worker has no handler fails without reaching the worker', async () => {
    const mail = { from: 'a@example.test', to: 'b@example.test', raw: '' }
    assert.deepEqual([await deliverMail(deps(), script, mail), groups.calls], [{ outcome: 'exception' }, []])
  })

  test('a queue, cron or mail event for an undeployed or deleted worker is delivered again after two seconds', async () => {
    cloud.store.run('DELETE FROM deployments')
    assert.deepEqual([await retryAfter(fire), groups.calls], [2000, []])
    deleteScript(cloud.store, script)
    assert.deepEqual(await retryAfter(() => deliverBatch(deps(), batch())), 2000)
  })

  test("a worker event is delivered again when the worker's process does not start, is overloaded or responds invalidly", async () => {
    group().onSocket = async () => {
      throw new AppUnavailableError('the app does not start', 7)
    }
    assert.equal(await retryAfter(fire), 7000)
    group().onSocket = async () => {}
    group().onEnter = async () => {
      throw new WaitRefusedError('too many requests are waiting')
    }
    assert.equal(await retryAfter(fire), 500)
    group().onEnter = async () => {}
    for (const answer of [null, new Response('no json'), Response.json({})]) {
      groups.answer = () => answer
      assert.equal(await retryAfter(fire), 500)
    }
    assert.equal(group().entered, 0)
  })

  test('a worker event whose process is killed for CPU time or memory fails as exceededCpu or exceededMemory', async () => {
    for (const outcome of ['exceededCpu', 'exceededMemory'] as const) {
      groups.answer = () => {
        group().overruns++
        group().lastOverrun = { outcome, reason: 'too much', causedBefore: 0 }
        return null
      }
      assert.equal(await fire(), outcome)
    }
    assert.equal(group().entered, 0)
  })

  test('a worker event that was not sent yet is delivered again when another event exceeds the CPU limit', async () => {
    group().onEnter = async () => {
      group().overruns++
      group().lastOverrun = { outcome: 'exceededCpu', reason: 'too much', causedBefore: 0 }
    }
    groups.answer = () => null
    assert.equal(await retryAfter(fire), 500)
    group().onSocket = async () => {
      throw new AppUnavailableError('the app does not start', 1)
    }
    assert.equal(await retryAfter(fire), 1000)
  })
})
