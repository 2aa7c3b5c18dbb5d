import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud, uploadForm } from '../../../testing/cloud.ts'
import { ApiFailure } from '../../rest/failure.ts'
import type { InstanceFile } from './instance-files.ts'
import type { WorkflowInstance } from './instances.ts'
import { findWorkflow } from '../../store/workflows.ts'
import { logOf, timeAt } from './testing.ts'

const at = (text: string) => Date.parse(`2026-06-01T${text}Z`)

describe('instances of a workflow over REST', () => {
  let cloud: TestCloud
  let workflow: { id: string; versionId: string }
  /** Calls of the process that runs the instances, in order. */
  let calls: unknown[][]
  let files: InstanceFile[]
  let instance: WorkflowInstance
  beforeEach(async () => {
    cloud = testCloud()
    calls = []
    files = []
    instance = {
      id: 'order-1',
      status: 'running',
      createdOn: timeAt(0),
      logs: logOf([0, null, { params: { a: 1 } }], [1]),
    }
    await cloud.call(
      'PUT',
      '/A/workers/scripts/shop',
      uploadForm('export default { fetch() {} }\nexport class Orders {}'),
    )
    await cloud.call('PUT', '/A/workflows/orders', { script_name: 'shop', class_name: 'Orders' })
    workflow = findWorkflow(cloud.store, cloud.accountId, 'orders') ?? assert.fail('no workflow')
    const record = (name: string, ...args: unknown[]) => {
      calls.push([name, ...args])
      return Promise.resolve(instance)
    }
    Object.assign(cloud.instances, {
      list: () => files,
      describe: async (_workflow: unknown, shown: InstanceFile[]) =>
        shown.map(({ objectId, status }) => ({ ...instance, id: objectId, status })),
      create: (_workflow: unknown, input: { id?: string }) => record('create', input),
      read: (_workflow: unknown, id: string) => record('read', id),
      change: (_workflow: unknown, ...args: unknown[]) => record('change', ...args),
      sendEvent: (_workflow: unknown, ...args: unknown[]) => record('event', ...args),
      remove: async (_workflow: unknown, ids: string[]) => ({
        deleted: ids.map((id) => ({ id })),
        errors: [],
      }),
    })
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path = '', body?: object) => {
    const answer = await cloud.call(method, `/A/workflows/orders/instances${path}`, body)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const listIds = async (query = '') => {
    const listed = await call('GET', query)
    return (listed as unknown[]).map((one) => (typeof one === 'object' ? (one as { id: string }).id : one))
  }
  const made = () => ({
    id: 'order-1',
    status: 'running',
    version_id: workflow.versionId,
    workflow_id: workflow.id,
    trigger_source: 'api',
  })

  test("creating a workflow instance, with or without an id and parameters, sets the workflow's triggeredAt", async () => {
    cloud.clock.advance(1000)
    assert.deepEqual(await call('POST', '', { instance_id: 'order-1', params: { a: 1 } }), made())
    assert.deepEqual(await call('POST'), made())
    assert.deepEqual(calls, [
      ['create', { id: 'order-1', params: { a: 1 } }],
      ['create', { id: undefined, params: undefined }],
    ])
    const { triggeredAt } = findWorkflow(cloud.store, cloud.accountId, 'orders') ?? {}
    assert.equal(triggeredAt, cloud.now())
    assert.deepEqual(await call('POST', '', { instance_id: 7 }), [400, 10001])
  })

  test('a batch creates 1 to 100 workflow instances, and an empty or larger batch is refused', async () => {
    assert.deepEqual(await call('POST', '/batch', [{ instance_id: 'a' }, {}]), [made(), made()])
    const createMany = (count: number) => {
      const inputs = Array.from({ length: count }, () => ({}))
      return call('POST', '/batch', inputs)
    }
    assert.deepEqual(
      [await createMany(0), await createMany(101)],
      [
        [400, 10001],
        [400, 10001],
      ],
    )
    assert.equal(((await createMany(100)) as unknown[]).length, 100)
  })

  test('the list of workflow instances has pages, and is filtered by status and time, with or without a time zone', async () => {
    const file = (objectId: string, status: InstanceFile['status'], time: string) => ({
      objectId,
      status,
      createdAt: at(time),
    })
    files = [
      file('c', 'running', '12:00:00'),
      file('b', 'complete', '11:00:00'),
      file('a', 'running', '10:00:00'),
    ]
    assert.deepEqual(
      [
        await listIds(),
        await listIds('/'),
        await listIds('?status=running'),
        await listIds('?status=paused'),
        await listIds('?date_start=2026-06-01T11:00:00Z'),
        await listIds('?date_end=2026-06-01T11:00:00'),
        await listIds('?date_start=2026-06-01T13:00:00%2B02:00&date_end=2026-06-01T11:30:00Z'),
        await listIds('?date_start=2026-06-02'),
        await listIds('?per_page=2&page=2'),
        await listIds('?date_start=soon'),
      ],
      [
        ['c', 'b', 'a'],
        ['c', 'b', 'a'],
        ['c', 'a'],
        [],
        ['c', 'b'],
        ['b', 'a'],
        ['b'],
        [],
        ['a'],
        [400, 10_001],
      ],
    )
  })

  test('a workflow step is found only by its name and type together', async () => {
    instance.logs = logOf([5, 'pay-1'], [6, 'pay-1', { result: 'paid' }], [14, 'mail-1'])
    assert.deepEqual(
      [
        await call('GET', '/order-1/step?name=pay-1&type=step'),
        await call('GET', '/order-1/step?name=mail-1&type=waitForEvent'),
        await call('GET', '/order-1/step?name=mail-1&type=step'),
        await call('GET', '/order-1/step?name=none&type=step'),
        await call('GET', '/order-1/step'),
      ],
      [
        { status: 'complete', output: 'paid', error: null },
        { status: 'waiting', output: null, error: null },
        ...Array.from({ length: 3 }, () => [404, 10_203]),
      ],
    )
  })

  test('a workflow instance can be read, changed and sent events by its id', async () => {
    const { status, params } = (await call('GET', '/order%201')) as { status: string; params: object }
    assert.deepEqual({ status, params }, { status: 'running', params: { a: 1 } })
    const time = new Date(cloud.now()).toISOString()
    const changed = { status: 'running', timestamp: time }
    assert.deepEqual(
      [
        await call('PATCH', '/order-1/status', { status: 'pause' }),
        await call('PATCH', '/order-1/status', {
          status: 'restart',
          from: { name: 'pay-1' },
          rollback: true,
        }),
        await call('PATCH', '/order-1/status', { status: 'destroy' }),
        await call('POST', '/order-1/events/paid', { sum: 7 }),
        await call('POST', '/order-1/events/paid'),
      ],
      [changed, changed, [400, 10001], { success: true }, { success: true }],
    )
    assert.deepEqual(calls, [
      ['read', 'order 1'],
      ['change', 'order-1', 'pause', {}],
      ['change', 'order-1', 'restart', { from: { name: 'pay-1' }, rollback: true }],
      ['event', 'order-1', 'paid', { sum: 7 }],
      ['event', 'order-1', 'paid', undefined],
    ])
  })

  test('one request deletes 1 to 100 workflow instances', async () => {
    assert.deepEqual(await call('POST', '/batch/delete', { instances: ['a', 'b'] }), {
      deleted: [{ id: 'a' }, { id: 'b' }],
      errors: [],
    })
    assert.deepEqual(
      [
        await call('POST', '/batch/delete', { instances: [] }),
        await call('POST', '/batch/delete', { instances: Array(101).fill('a') }),
      ],
      [
        [400, 10001],
        [400, 10001],
      ],
    )
  })

  test("an unknown workflow and an unknown workflow instance return the provider's error codes", async () => {
    cloud.instances.read = async () => {
      throw new ApiFailure(404, 10_202, 'workflows.api.error.instance_not_found')
    }
    assert.deepEqual(await call('GET', '/none'), [404, 10_202])
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['POST', '', {}],
      ['GET', '/order-1', undefined],
    ] as const) {
      const answer = await cloud.call(method, `/A/workflows/none/instances${path}`, body)
      assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 10_200])
    }
  })
})
