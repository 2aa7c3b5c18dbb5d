import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import type { RunLimits } from './run-limits.ts'
import type { CheckReport } from '../check-report.ts'
import { runAgent } from './loop.ts'
import { type Turn, finish, kindOf, failedReport, setUp, write } from '../testing/loop.ts'
import { NO_USAGE, budgetTokens } from '../model/usage.ts'

const writes = (count: number): Turn[] =>
  Array.from({ length: count }, (_, n) => ({ calls: [write('shared/a.ts', `export const a = ${n}`)] }))
/** Model responses that count as progress, because each change is followed by a check. */
const checks = (count: number): Turn[] =>
  writes(count).map(({ calls = [] }) => ({ calls: [...calls, ['check', {}]] }))

interface Row {
  name: string
  turns: Turn[]
  reports?: CheckReport[]
  limits?: Partial<RunLimits>
  kind: string
  calls: number
}

const ROWS: Row[] = [
  {
    name: 'the number of steps',
    turns: writes(9),
    reports: [failedReport('x')],
    limits: { steps: 5 },
    kind: 'step_limit',
    calls: 5,
  },
  {
    name: 'the number of failed checks',
    turns: checks(12),
    reports: Array.from({ length: 12 }, (_, n) => failedReport(`error ${'abcdefghijkl'[n]}`)),
    kind: 'check_failed',
    calls: 8,
  },
  {
    name: 'repetitions of the same error',
    turns: checks(9),
    reports: [failedReport('no such name')],
    kind: 'stuck',
    calls: 4,
  },
  { name: 'repetitions of the same call', turns: [{ calls: [['list_files', {}]] }], kind: 'stuck', calls: 5 },
  {
    name: 'the number of invalid calls',
    turns: [{ calls: [['imagined', {}]] }],
    kind: 'model_error',
    calls: 5,
  },
  {
    name: 'the number of calls with invalid arguments',
    turns: [{ calls: [['read_file', { path: 1 }]] }],
    kind: 'model_error',
    calls: 5,
  },
  { name: 'the number of tokens', turns: writes(9), limits: { tokens: 450 }, kind: 'budget', calls: 3 },
]

describe('limits that end a run', () => {
  for (const { name, turns, kind, calls, ...options } of ROWS) {
    test(`a run limited by ${name} ends as ${kind} after ${calls} model calls`, async () => {
      const run = setUp(turns, options)
      assert.equal(kindOf(await runAgent(run.agent)), kind)
      assert.equal(run.requests.length, calls)
    })
  }

  test('a run continues after a response with many invalid calls, because the model has not read their errors yet', async () => {
    const invalid = (count: number): Turn => ({
      calls: Array.from({ length: count }, (_, n) => ['read_file', { file: `${n}.ts` }]),
    })
    const corrected = [invalid(8), { calls: [write('shared/a.ts', 'x')] }, { calls: [finish] }]
    assert.equal(kindOf(await runAgent(setUp(corrected).agent)), 'finished')
    const repeated = setUp([invalid(8)])
    assert.equal(kindOf(await runAgent(repeated.agent)), 'model_error')
    assert.equal(repeated.requests.length, 2)
  })

  test('a run that exceeds its wall time ends as time_limit, without another model call', async () => {
    const run = setUp(writes(9), { limits: { minutes: 10 } })
    run.agent.elapsedMs = () => run.requests.length * 4 * 60_000
    assert.equal(kindOf(await runAgent(run.agent)), 'time_limit')
    assert.equal(run.requests.length, 3)
  })
})

test("a model that streams without end is stopped at the run's time limit", async () => {
  const run = setUp([], { limits: { minutes: 10 } })
  run.agent.elapsedMs = () => 10 * 60_000 - 50
  run.agent.model = new MockLanguageModelV4({
    doStream: async ({ abortSignal }) => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start: (controller) => controller.enqueue({ type: 'text-start', id: 't' }),
        async pull(controller) {
          await new Promise(setImmediate)
          if (abortSignal?.aborted) controller.error(abortSignal.reason)
          else controller.enqueue({ type: 'text-delta', id: 't', delta: '' })
        },
      }),
    }),
  })
  assert.equal(kindOf(await runAgent(run.agent)), 'time_limit')
})

describe('the token budget', () => {
  test('a run exceeds its token budget by at most one model call', async () => {
    for (const tokens of [230, 300, 450, 777, 1_000]) {
      const run = setUp(writes(40), { limits: { tokens, steps: 40 } })
      assert.equal(kindOf(await runAgent(run.agent)), 'budget')
      const spent = run.requests.length * 110
      assert.ok(spent <= tokens + 110, `${spent} of ${tokens}`)
    }
  })

  test('the token budget of a run counts cached input tokens at a tenth', () => {
    assert.equal(budgetTokens({ ...NO_USAGE, input: 1_000, cacheRead: 900, output: 50 }), 100 + 90 + 50)
  })

  test('the token budget of a run includes the tokens of its earlier attempts', async () => {
    const run = setUp(writes(9), { limits: { tokens: 10_000 } })
    run.agent.spent = { ...NO_USAGE, input: 9_990 }
    assert.equal(kindOf(await runAgent(run.agent)), 'budget')
    assert.equal(run.requests.length, 0)
  })

  test('the token budget of a run is checked before each retry of a model call, so that failed calls cannot exceed it', async () => {
    const run = setUp([{}], { limits: { tokens: 115 } })
    assert.equal(kindOf(await runAgent(run.agent)), 'budget')
    assert.equal(run.requests.length, 1)
    assert.equal(run.failed.length, 1)
  })
})

describe('the last step', () => {
  test('in the last step of a run the model may call no tool, and the build succeeds when the check passes', async () => {
    const run = setUp([...writes(2), { text: 'Plants are listed; search is missing.' }], {
      limits: { steps: 3 },
    })
    const end = await runAgent(run.agent)
    assert.deepEqual(end, { kind: 'finished', summary: 'Plants are listed; search is missing.' })
    assert.deepEqual(
      run.requests.map(({ toolChoice }) => toolChoice),
      ['auto', 'auto', 'none'],
    )
    assert.match(JSON.stringify(run.requests.at(-1)?.messages), /This was your last step/)
  })

  test('ten steps before the step limit of a run the model is told that ten steps remain', async () => {
    const run = setUp([...writes(2), { calls: [finish] }], { limits: { steps: 12 } })
    await runAgent(run.agent)
    assert.match(JSON.stringify(run.requests[1]?.messages), /10 steps remain/)
    assert.doesNotMatch(JSON.stringify(run.requests[0]?.messages), /10 steps remain/)
  })
})

test('a model that repeats a tool call or a failing check reads a warning before the limit on repetition ends the run', async () => {
  const stuck = setUp([{ calls: [['list_files', {}]] }])
  await runAgent(stuck.agent)
  const notes = stuck.stored.map((step) => /Do something else/.test(step.results[0]?.text ?? ''))
  assert.deepEqual(notes, [false, false, true, true, false])
  const again = setUp(checks(9), { reports: [failedReport('no such name')] })
  await runAgent(again.agent)
  const hints = again.stored.map((step) => /different approach/.test(step.results[1]?.text ?? ''))
  assert.deepEqual(hints, [false, false, true, false])
})
