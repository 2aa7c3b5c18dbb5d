import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest } from '../manifest.gen.ts'
import type { FlowName } from '../types.gen.ts'
import type { ServerFlow } from './server.ts'

const ORDER = 'order' as FlowName
const importServer = () => importInWorkerd(() => import('./server.ts'))

interface Run {
  params: unknown
  status: string
  output?: unknown
  error?: { message?: string } | null
  events: unknown[]
}

/** A workflow in memory that behaves like Cloudflare's binding. */
class Workflow {
  readonly runs = new Map<string, Run>()
  /** Called before each call. May throw, or change the runs. */
  before: (call: string) => void = () => {}

  create = async ({ id, params }: { id: string; params: unknown }) => {
    this.before('create')
    if (this.runs.has(id)) throw new Error('(instance.already_exists) The instance already exists')
    this.runs.set(id, { params, status: 'queued', events: [] })
  }

  get = async (id: string) => {
    this.before('get')
    const run = this.runs.get(id)
    if (run === undefined) throw new Error('(instance.not_found) Provided instance id does not exist')
    const requireRunning = () => {
      if (['complete', 'errored', 'terminated'].includes(run.status))
        throw new Error('(instance.invalid_state) The instance is in a finite state')
    }
    return {
      status: async () => {
        this.before('status')
        const { status, output, error } = run
        return { status, output, error }
      },
      sendEvent: async (event: unknown) => {
        this.before('sendEvent')
        requireRunning()
        run.events.push(event)
      },
      terminate: async () => {
        this.before('terminate')
        requireRunning()
        run.status = 'terminated'
      },
    }
  }
}

describe('the flows of an app, for its server code', () => {
  let flow: ServerFlow
  let workflow: Workflow
  before(async () => {
    flow = (await importServer()).flow
  })
  beforeEach(() => {
    enableCapabilities('flow')
    manifest.flows = [{ name: ORDER, handler: 'order' }]
    workflow = new Workflow()
    workerEnv['FLOW'] = workflow
  })
  after(() => {
    enableCapabilities()
    delete manifest.flows
    delete workerEnv['FLOW']
  })
  const breakDown = (call: string) => {
    workflow.before = (one) => {
      if (one === call) throw new Error('internal error; reference = 1')
    }
  }
  const idProblem = {
    code: 'invalid_request',
    message: 'id: must be 1 to 100 letters, digits, _ or -',
    field: 'id',
  }

  test('a flow run starts with the given id and input, or with a new id and no input', async () => {
    assert.deepEqual(await flow.start(ORDER, { cake: 2 }, { id: 'order-1' }), { id: 'order-1' })
    const { id } = await flow.start(ORDER)
    assert.match(id, /^flow_[\da-f]{32}$/)
    assert.deepEqual(
      [...workflow.runs].map(([key, { params }]) => [key, params]),
      [
        ['order-1', { v: 1, name: 'order', input: { cake: 2 } }],
        [id, { v: 1, name: 'order', input: null }],
      ],
    )
  })

  test('starting a flow run whose id exists changes nothing', async () => {
    await flow.start(ORDER, 'first', { id: 'order-1' })
    assert.deepEqual(await flow.start(ORDER, 'second', { id: 'order-1' }), { id: 'order-1' })
    assert.deepEqual(workflow.runs.get('order-1')?.params, { v: 1, name: 'order', input: 'first' })
  })

  test('starting a flow run is refused for an unknown flow, an invalid id or an input that is not JSON', async () => {
    await assert.rejects(flow.start('other'), {
      code: 'invalid_request',
      message: 'name: there is no flow other; app.json declares them',
    })
    for (const id of ['', 'a b', '-a', 'é', 'a'.repeat(101), 5, null])
      await assert.rejects(flow.start(ORDER, null, { id: id as string }), idProblem)
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    for (const input of [circular, 5n, 'x'.repeat(1024 * 1024)])
      await assert.rejects(flow.start(ORDER, input), { code: 'invalid_request', field: 'input' })
    assert.equal(workflow.runs.size, 0)
    await flow.start(ORDER, null, { id: 'a'.repeat(100) })
    assert.equal(workflow.runs.size, 1)
  })

  test("a flow run's status is translated from the provider's, and a run that has ended has an output or an error", async () => {
    await flow.start(ORDER, null, { id: 'r' })
    const run = workflow.runs.get('r')!
    const seen = []
    for (const change of [
      { status: 'queued' },
      { status: 'running' },
      { status: 'waiting' },
      { status: 'waitingForPause' },
      { status: 'a new one' },
      { status: 'errored', error: { message: 'No cake.' } },
      { status: 'errored', error: null },
      { status: 'terminated' },
      { status: 'complete', output: 0 },
    ]) {
      Object.assign(run, change)
      seen.push(await flow.status('r'))
    }
    assert.deepEqual(seen, [
      { status: 'queued' },
      { status: 'running' },
      { status: 'waiting' },
      { status: 'paused' },
      { status: 'running' },
      { status: 'failed', error: 'No cake.' },
      { status: 'failed', error: 'It failed.' },
      { status: 'cancelled' },
      { status: 'complete', output: 0 },
    ])
  })

  test('a flow run that does not exist is reported as not found, and an invalid id is refused', async () => {
    const missing = { code: 'not_found', message: 'There is no such run.' }
    for (const call of [flow.status('x'), flow.signal('x', 'paid'), flow.cancel('x')])
      await assert.rejects(call, missing)
    for (const call of [flow.status('a/b'), flow.signal('a/b', 'paid'), flow.cancel('a/b')])
      await assert.rejects(call, idProblem)
  })

  test('a signal reaches a flow run with its data and a unique id', async () => {
    await flow.start(ORDER, null, { id: 'r' })
    await flow.signal('r', 'paid', { euro: 5 })
    await flow.signal('r', 'paid')
    const events = (workflow.runs.get('r')?.events ?? []) as {
      type: string
      payload: { v: number; id: string; data: unknown }
    }[]
    assert.deepEqual(
      events.map(({ type, payload: { v, data } }) => [type, { v, data }]),
      [
        ['paid', { v: 1, data: { euro: 5 } }],
        ['paid', { v: 1, data: null }],
      ],
    )
    assert.notEqual(events[0]?.payload.id, events[1]?.payload.id)
  })

  test('a signal with an invalid name or data is refused before the flow run is read', async () => {
    workflow.before = () => assert.fail('not called')
    await assert.rejects(flow.signal('r', 'paid!'), {
      code: 'invalid_request',
      message: 'event: must be 1 to 100 letters, digits, _ or -',
      field: 'event',
    })
    await assert.rejects(flow.signal('r', 'paid', 5n), { code: 'invalid_request', field: 'data' })
  })

  test('a signal to a flow run that has ended fails with conflict, even if the run ends just before the signal arrives', async () => {
    const ended = { code: 'conflict', message: 'This run has ended.' }
    for (const status of ['complete', 'errored', 'terminated']) {
      await flow.start(ORDER, null, { id: status })
      const run = workflow.runs.get(status)!
      workflow.before = (call) => {
        if (call === 'sendEvent') run.status = status
      }
      await assert.rejects(flow.signal(status, 'paid'), ended)
      await assert.rejects(flow.signal(status, 'paid'), ended)
    }
  })

  test('canceling a flow run ends it at once, and does nothing to a run that has ended', async () => {
    await flow.start(ORDER, null, { id: 'r' })
    await flow.cancel('r')
    await flow.cancel('r')
    assert.deepEqual(await flow.status('r'), { status: 'cancelled' })
  })

  test('while the workflow provider fails, each flow call fails with an error that says to try again', async () => {
    await flow.start(ORDER, null, { id: 'r' })
    const cases: [call: string, act: () => Promise<unknown>, message: string][] = [
      ['create', () => flow.start(ORDER), 'The flow could not be started. Try again.'],
      ['get', () => flow.status('r'), 'The run could not be read. Try again.'],
      ['status', () => flow.status('r'), 'The run could not be read. Try again.'],
      ['status', () => flow.signal('r', 'paid'), 'The run could not be read. Try again.'],
      ['sendEvent', () => flow.signal('r', 'paid'), 'The signal could not be sent. Try again.'],
      ['terminate', () => flow.cancel('r'), 'The run could not be cancelled. Try again.'],
    ]
    for (const [call, act, message] of cases) {
      breakDown(call)
      await assert.rejects(act(), { code: 'unavailable', message }, `${call}: ${message}`)
    }
  })

  test('while the flow capability is off, no flow call reaches the provider', async () => {
    enableCapabilities()
    workflow.before = () => assert.fail('not called')
    for (const call of [flow.start(ORDER), flow.status('r'), flow.signal('r', 'paid'), flow.cancel('r')])
      await assert.rejects(call, { code: 'not_enabled' })
  })
})
