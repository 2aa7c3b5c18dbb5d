import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { jobModules } from '../handlers.gen.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest } from '../manifest.gen.ts'
import type { AppFlow } from './run.ts'
import type { FlowHandler, FlowSignal, FlowStep } from './types.ts'
import { DAY_MS } from '../kernel/durations.ts'

const importRun = () => importInWorkerd(() => import('./run.ts'))

/** The steps of a run as the provider offers them. Runs each step once, and delivers `signals` in their order. */
class Steps {
  readonly calls: unknown[] = []
  readonly signals: (FlowSignal | Error)[] = []

  do = async (name: string, config: object, work: () => Promise<unknown>) => {
    this.calls.push(['do', name, config])
    return await work()
  }

  sleep = async (name: string, ms: number) => void this.calls.push(['sleep', name, ms])

  waitForEvent = async (name: string, options: object) => {
    this.calls.push(['wait', name, options])
    const signal = this.signals.shift()
    if (signal instanceof Error) throw signal
    return { payload: signal }
  }
}

describe('a run of a flow', () => {
  let Flow: typeof AppFlow
  let steps: Steps
  let logged: { message: string; route: string }[]
  before(async () => {
    Flow = (await importRun()).AppFlow
  })
  beforeEach(() => {
    mock.restoreAll()
    logged = recordErrors()
    steps = new Steps()
    manifest.flows = [{ name: 'order', handler: 'take-order' }]
  })
  after(() => {
    mock.restoreAll()
    delete manifest.flows
    Reflect.deleteProperty(jobModules, 'take-order')
  })

  function run(
    handler: FlowHandler | null,
    { name = 'order', input = null }: { name?: string; input?: unknown } = {},
  ): Promise<unknown> {
    Reflect.deleteProperty(jobModules, 'take-order')
    if (handler !== null) Object.assign(jobModules, { 'take-order': { default: handler } })
    const flow = new Flow({}, {})
    return flow.run({ payload: { v: 1, name, input } } as never, steps)
  }
  const config = (limit: number, timeout: number) => ({
    retries: { limit, delay: 10_000, backoff: 'exponential' },
    timeout,
  })

  test('a flow gets its input, and the results of its steps and its output are converted to JSON', async () => {
    const output = await run(
      async (input, step) => {
        const day = await step.do('read', () => new Date('2026-11-20T10:00:00Z'))
        return { input, day, none: undefined, nothing: await step.do('void', () => {}) }
      },
      { input: { cake: 2 } },
    )
    // A result is stored as JSON before the step returns it, so that a replay of the run gets the same value.
    assert.deepEqual(output, { input: { cake: 2 }, day: '2026-11-20T10:00:00.000Z', nothing: null })
    assert.deepEqual(steps.calls, [
      ['do', 'read', config(3, 600_000)],
      ['do', 'void', config(3, 600_000)],
    ])
  })

  test('the retries and the time limit of a flow step reach the provider, and values out of range are refused', async () => {
    const within = [
      { retries: 0, timeoutSeconds: 1 },
      { retries: 20, timeoutSeconds: 1800 },
    ]
    await run(async (_, step) => {
      for (const options of within) await step.do('work', options, () => null)
    })
    assert.deepEqual(steps.calls.splice(0), [
      ['do', 'work', config(0, 1000)],
      ['do', 'work', config(20, 1_800_000)],
    ])
    for (const [options, message] of [
      [{ retries: -1 }, 'retries: must be a number from 0 to 20'],
      [{ retries: 21 }, 'retries: must be a number from 0 to 20'],
      [{ retries: Infinity }, 'retries: must be a number from 0 to 20'],
      [{ timeoutSeconds: 0 }, 'timeoutSeconds: must be a number from 1 to 1800'],
      [{ timeoutSeconds: 1801 }, 'timeoutSeconds: must be a number from 1 to 1800'],
      [{ timeoutSeconds: Number.NaN }, 'timeoutSeconds: must be a number from 1 to 1800'],
    ] as const)
      await assert.rejects(
        run((_, step) => step.do('work', options, () => assert.fail('not run'))),
        { message },
      )
    assert.deepEqual(steps.calls, [])
  })

  test('a flow step whose result is not JSON or exceeds 1 MiB fails without a retry, because a retry would fail too', async () => {
    for (const [result, problem] of [
      [5n, 'must be JSON'],
      ['x'.repeat(1024 * 1024), 'is larger than 1 MiB'],
    ] as const) {
      const failing = run((_, step) => step.do('count', () => result))
      const message = `The result of the step count: ${problem}`
      await assert.rejects(failing, { name: 'NonRetryableError', message })
    }
  })

  test('an error that a flow step throws keeps its class, so that the provider retries the step', async () => {
    class OutOfStock extends Error {}
    await assert.rejects(
      run((_, step) => step.do('reserve', () => Promise.reject(new OutOfStock('none left')))),
      OutOfStock,
    )
    assert.deepEqual(logged, [{ message: 'none left', route: 'flow order' }])
  })

  test('the length of a pause in a flow is the sum of its units, and at most a year', async () => {
    const sleep = (pause: Parameters<FlowStep['sleep']>[1]) => run((_, step) => step.sleep('nap', pause))
    await sleep({ days: 1, hours: 2, minutes: 3, seconds: 4 })
    await sleep({})
    await sleep({ days: 365 })
    assert.deepEqual(steps.calls.splice(0), [
      ['sleep', 'nap', DAY_MS + 2 * 3_600_000 + 3 * 60_000 + 4000],
      ['sleep', 'nap', 0],
      ['sleep', 'nap', 365 * DAY_MS],
    ])
    const message = 'pause: must be a number from 0 to 31536000'
    for (const pause of [{ days: 365, seconds: 1 }, { seconds: -1 }, { hours: Number.NaN }])
      await assert.rejects(sleep(pause), { message })
    assert.deepEqual(steps.calls, [])
  })

  test("a flow run that waits for a signal gets the signal's data, or null when none arrives in time", async () => {
    steps.signals.push(
      { v: 1, id: 's1', data: { euro: 5 } },
      { v: 1, id: 's2', data: null },
      Object.assign(new Error('Execution timed out after 86400000ms'), { name: 'WorkflowTimeoutError' }),
    )
    const output = await run(async (_, step) => [
      await step.waitFor('paid'),
      await step.waitFor('paid', { timeoutSeconds: 60 }),
      await step.waitFor('paid'),
    ])
    assert.deepEqual(output, [{ euro: 5 }, null, null])
    const wait = (timeout: number) => ['wait', 'paid', { type: 'paid', timeout }]
    assert.deepEqual(steps.calls, [wait(DAY_MS), wait(60_000), wait(DAY_MS)])
  })

  test('a signal that is delivered to a flow twice is received once, even by a later wait', async () => {
    const [first, second] = [
      { v: 1 as const, id: 's1', data: 1 },
      { v: 1 as const, id: 's2', data: 2 },
    ]
    steps.signals.push(first, first, first, second)
    assert.deepEqual(
      await run(async (_, step) => [await step.waitFor('go'), await step.waitFor('go')]),
      [1, 2],
    )
  })

  test('a provider error while a flow waits for a signal is not a time-out, and the wait is 1 second to 1 year', async () => {
    steps.signals.push(new Error('internal error'))
    await assert.rejects(
      run((_, step) => step.waitFor('go')),
      { message: 'internal error' },
    )
    const message = 'timeoutSeconds: must be a number from 1 to 31536000'
    for (const timeoutSeconds of [0, 31_536_001, Number.NaN])
      await assert.rejects(
        run((_, step) => step.waitFor('go', { timeoutSeconds })),
        { message },
      )
  })

  test('a flow run fails when its flow or file is missing in this release, and the error and the log name it', async () => {
    const file = 'server/jobs/take-order.ts must exist and export a function as its default'
    for (const [name, message] of [
      ['gone', 'app.json declares no flow gone'],
      ['toString', 'app.json declares no flow toString'],
      ['order', file],
    ] as const) {
      await assert.rejects(run(null, { name }), { message })
      assert.deepEqual(logged.splice(0), [{ message, route: `flow ${name}` }])
    }
  })

  test('a flow run whose output is not JSON fails with an error about the output', async () => {
    await assert.rejects(
      run(() => 5n),
      { message: 'output: must be JSON' },
    )
  })
})
