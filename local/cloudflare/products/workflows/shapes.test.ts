import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { WorkflowInstance } from './instances.ts'
import { toInstance, toListedInstance, toStepOutput, toSteps, toWorkflow } from './shapes.ts'
import { logOf, openWorkflows, timeAt } from './testing.ts'

const ERROR = { name: 'Error', message: 'no stock' }

describe("workflows and their instances in the provider's format", () => {
  const { store, workflow } = openWorkflows(0)
  after(() => store.close())

  const instance = (
    status: WorkflowInstance['status'],
    logs: WorkflowInstance['logs'],
  ): WorkflowInstance => ({
    id: 'order-1',
    status,
    createdOn: timeAt(0),
    logs,
  })
  const QUEUED: Parameters<typeof logOf> = [[0, null, { params: { order: 1 } }], [1]]
  const head = (change: object) => ({
    versionId: workflow.versionId,
    trigger: { source: 'api' },
    params: { order: 1 },
    queued: timeAt(0),
    start: timeAt(1),
    end: null,
    success: null,
    output: null,
    error: null,
    rollback: null,
    steps: [],
    step_count: 0,
    ...change,
  })
  const stepOf = (...entries: Parameters<typeof logOf>) =>
    toSteps(logOf(...entries))[0] ?? assert.fail('no step')

  test('a workflow instance has an end time and a result only once it has completed, failed or been terminated', () => {
    assert.deepEqual(toInstance(workflow, instance('running', logOf(...QUEUED))), head({ status: 'running' }))
    const complete = instance('complete', logOf(...QUEUED, [2, null, { result: 'done' }]))
    assert.deepEqual(
      toInstance(workflow, complete),
      head({ status: 'complete', end: timeAt(2), success: true, output: 'done' }),
    )
    const failed = instance('errored', logOf(...QUEUED, [3, null, { error: ERROR }]))
    assert.deepEqual(
      toInstance(workflow, failed),
      head({ status: 'errored', end: timeAt(2), success: false, error: ERROR }),
    )
    const stopped = instance('terminated', logOf(...QUEUED, [4]))
    assert.deepEqual(
      toInstance(workflow, stopped),
      head({ status: 'terminated', end: timeAt(2), success: false }),
    )
  })

  test('a workflow instance that is only queued has no start time', () => {
    const { queued, start } = toInstance(workflow, instance('queued', logOf([0]))) as Record<string, unknown>
    assert.deepEqual([queued, start], [timeAt(0), null])
    const empty = toInstance(workflow, instance('unknown', []))
    assert.deepEqual(empty, head({ status: 'unknown', params: null, queued: null, start: null }))
  })

  test('a listed workflow instance has start, end and change times, and its change time defaults to its creation time', () => {
    const listed = (times: object) => ({
      id: 'order-1',
      workflow_id: workflow.id,
      version_id: workflow.versionId,
      status: 'complete',
      trigger_source: 'api',
      created_on: timeAt(0),
      ...times,
    })
    assert.deepEqual(
      toListedInstance(workflow, instance('complete', logOf(...QUEUED, [2]))),
      listed({ modified_on: timeAt(2), started_on: timeAt(1), ended_on: timeAt(2) }),
    )
    assert.deepEqual(
      toListedInstance(workflow, instance('complete', [])),
      listed({ modified_on: timeAt(0), started_on: null, ended_on: null }),
    )
  })

  test('a workflow step lists its attempts in order, each with an end time that is null while the attempt runs', () => {
    const step = stepOf(
      [5, 'pay-1', { config: { retries: 2 } }],
      [10, 'pay-1', { attempt: 1 }],
      [12, 'pay-1', { attempt: 1, error: ERROR }],
      [10, 'pay-1', { attempt: 2 }],
    )
    const attempts = [
      { start: timeAt(1), end: timeAt(2), success: false, error: ERROR },
      { start: timeAt(3), end: null, success: null, error: null },
    ]
    const expected = { name: 'pay-1', type: 'step', start: timeAt(0), end: null, success: null }
    assert.deepEqual(step, { ...expected, output: null, config: { retries: 2 }, attempts })
    assert.deepEqual(toStepOutput(step), { status: 'running', output: null, error: ERROR })
  })

  test('a workflow step that has ended has its output, or the error of its last attempt', () => {
    const start: Parameters<typeof logOf> = [
      [5, 'pay-1'],
      [10, 'pay-1', { attempt: 1 }],
    ]
    const done = stepOf(...start, [11, 'pay-1', { attempt: 1 }], [6, 'pay-1', { result: 0 }])
    assert.deepEqual(
      [done.success, done.end, toStepOutput(done)],
      [true, timeAt(3), { status: 'complete', output: 0, error: null }],
    )
    const failed = stepOf(...start, [12, 'pay-1', { attempt: 1, error: ERROR }], [7, 'pay-1'])
    assert.deepEqual(
      [failed.success, failed.end, toStepOutput(failed)],
      [false, timeAt(3), { status: 'errored', output: null, error: ERROR }],
    )
  })

  test("a workflow's sleep or wait for an event is finished when it ends, and a wait that timed out has an error", () => {
    const timing = { start: timeAt(0), end: timeAt(1), finished: true }
    const sleep = stepOf([8, 'night-1'], [9, 'night-1'])
    assert.deepEqual(sleep, { name: 'night-1', type: 'sleep', ...timing, error: null })
    assert.deepEqual(toStepOutput(sleep), { status: 'complete', output: null, error: null })
    const waited = stepOf([14, 'paid-1'], [15, 'paid-1', { payload: { sum: 7 } }])
    const wait = { name: 'paid-1', type: 'waitForEvent' }
    assert.deepEqual(waited, { ...wait, ...timing, error: null, output: { sum: 7 } })
    assert.deepEqual(toStepOutput(waited), { status: 'complete', output: { sum: 7 }, error: null })
    const late = stepOf([14, 'paid-1'], [16, 'paid-1'])
    const timedOut = { name: 'Error', message: 'timed out' }
    assert.deepEqual(late, { ...wait, ...timing, error: timedOut, output: null })
    assert.deepEqual(toStepOutput(late), { status: 'errored', output: null, error: timedOut })
    const open = stepOf([14, 'paid-1'])
    assert.deepEqual(toStepOutput(open), { status: 'waiting', output: null, error: null })
  })

  test('workflow steps are listed in the order of their start, and log entries without a known step are ignored', () => {
    const logs = logOf(...QUEUED, [5, 'a-1'], [14, 'b-1'], [99, 'c-1'], [6, 'a-1'])
    assert.deepEqual(
      toSteps(logs).map(({ name }) => name),
      ['a-1', 'b-1'],
    )
  })

  test('a workflow has the number of its instances in each status', () => {
    const file = (status: 'running' | 'complete') => ({ objectId: 'x', createdAt: 0, status })
    assert.deepEqual(toWorkflow(workflow, [file('running'), file('complete'), file('running')]), {
      id: workflow.id,
      name: 'orders',
      script_name: 'shop',
      class_name: 'Orders',
      created_on: '1970-01-01T00:00:00.000Z',
      modified_on: '1970-01-01T00:00:00.000Z',
      triggered_on: null,
      instances: { running: 2, complete: 1 },
    })
  })
})
