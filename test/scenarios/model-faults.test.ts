import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Fault } from '../../local/model/script.ts'
import { runAgent } from '../../server/agent/loop/loop.ts'
import { kindOf, setUp } from '../../server/agent/testing/loop.ts'
import { modelSettings, openModel } from '../../server/agent/model/models.ts'
import { type ScriptedStep, finish, serveScriptedModel, write } from '../support/scripted-model.ts'
import { type BuildWorld, buildWorld, A_BUILD, A_GREEN_BUILD } from './build-world.ts'
import { leaves } from '../../server/testing/effects.ts'

const WRITE: ScriptedStep = {
  text: 'I write a file.',
  toolCalls: [write('shared/a.ts', 'export const a = 1\n'), write('shared/b.ts', 'export const b = 2\n')],
}
const FINISH: ScriptedStep = { toolCalls: [finish()] }

interface Outcome {
  /** How a run ends when every call of its model has this fault. */
  always: string
  /** The number of calls until the run ends. */
  calls: number
  /** The number of retries when only the first call has the fault; null when that call ends the run. */
  retries: number | null
  /** True when the response is used despite the fault, so its files are stored without another call. */
  isKept?: boolean
  /** A pattern for the error message that people see. */
  says?: RegExp
}

/** The expected outcome of every fault of the scripted model. The type check fails when one is missing. */
const DECIDED: Record<Fault['kind'], Outcome> = {
  no_index: { always: 'finished', calls: 1, retries: 0, isKept: true },
  same_ids: { always: 'finished', calls: 1, retries: 0, isKept: true },
  empty_ids: { always: 'finished', calls: 1, retries: 0, isKept: true },
  no_usage: { always: 'finished', calls: 1, retries: 0, isKept: true },
  slow: { always: 'finished', calls: 1, retries: 0, isKept: true },
  obey: { always: 'replied', calls: 1, retries: null },
  bad_json: { always: 'model_error', calls: 3, retries: 0, says: /invalid tool calls/ },
  unknown_tool: { always: 'model_error', calls: 3, retries: 0, says: /invalid tool calls/ },
  length: { always: 'model_error', calls: 3, retries: 0, says: /invalid tool calls/ },
  calls_as_text: { always: 'replied', calls: 1, retries: null },
  cut: { always: 'model_error', calls: 3, retries: 1, says: /was cut off/ },
  no_finish: { always: 'model_error', calls: 3, retries: 1, says: /was cut off/ },
  hang: { always: 'model_error', calls: 3, retries: 1, says: /did not start to respond/ },
  silence: { always: 'model_error', calls: 3, retries: 1, says: /in time/ },
  error_in_stream: { always: 'model_error', calls: 3, retries: 1, says: /was cut off/ },
  empty: { always: 'model_error', calls: 3, retries: 1 },
  html_200: { always: 'model_error', calls: 3, retries: 1, says: /was cut off/ },
  http_429: { always: 'rate_limited', calls: 3, retries: 1, says: /limits the rate of requests/ },
  http_529: { always: 'model_error', calls: 3, retries: 1, says: /529/ },
  http_500: { always: 'model_error', calls: 3, retries: 1, says: /500/ },
  http_401: { always: 'model_error', calls: 1, retries: null, says: /refused the key/ },
  context_400: { always: 'context_limit', calls: 1, retries: null, says: /window/ },
  endless: { always: 'model_error', calls: 1, retries: null, says: /did not stop writing/ },
}

const faultOf = (kind: string) => (kind === 'slow' ? { kind, perSecond: 500 } : kind)
/** Short timeouts for responses that never start or never end. */
const HASTY = { firstPartMs: 400, chunkMs: 400 }
const isQuiet = (step: ScriptedStep | undefined) => ['hang', 'silence'].includes(String(step?.['fault']))

describe('every fault of a model, in one call and in every call', () => {
  let model: Awaited<ReturnType<typeof serveScriptedModel>>
  before(async () => {
    model = await serveScriptedModel()
  })
  after(() => model.close())

  async function runSteps(key: string, steps: ScriptedStep[]) {
    await model.script(key, steps)
    const made = setUp([])
    const connection = { provider: 'openai-compatible' as const, baseUrl: model.baseUrl, key }
    let asked = 0
    made.agent.model = openModel(connection, 'scripted', (...request) => {
      asked++
      return fetch(...request)
    })
    made.agent.settings = modelSettings('openai-compatible', 'scripted', 'k')
    Object.defineProperty(made.agent, 'timeouts', {
      get: () => (isQuiet(steps.find((step, n) => n === asked || step['repeat'] === true)) ? HASTY : {}),
    })
    const end = await runAgent(made.agent)
    return { end, made, calls: await model.calls(key) }
  }

  for (const [kind, decided] of Object.entries(DECIDED)) {
    const { always, calls, retries, isKept = false, says } = decided
    test(`a build whose model has the fault ${kind} ${isKept ? 'once' : 'in every call'} ends as ${always} after ${calls + (isKept ? 1 : 0)} model calls`, async () => {
      const steps = [{ ...WRITE, fault: faultOf(kind), ...(isKept ? {} : { repeat: true }) }]
      const { end, calls: made } = await runSteps(`${kind}-always`, [...steps, FINISH])
      assert.equal(kindOf(end), always)
      assert.equal(made.length, calls + (isKept ? 1 : 0))
      if (says !== undefined) assert.match(end.kind === 'failed' ? end.failure.message : '', says)
    })

    if (retries === null) continue
    test(`a build whose model has the fault ${kind} in one call is completed with ${retries} retries`, async () => {
      const steps = [{ ...WRITE, fault: faultOf(kind) }, ...(isKept ? [] : [WRITE]), FINISH]
      const { end, made } = await runSteps(`${kind}-once`, steps)
      assert.equal(kindOf(end), 'finished')
      assert.deepEqual(
        ['shared/a.ts', 'shared/b.ts'].map((path) => made.workspace.tree.get(path)),
        ['export const a = 1\n', 'export const b = 2\n'],
      )
      assert.equal(made.frames.filter((frame) => frame.type === 'retry').length, retries)
      const ids = made.frames.flatMap((frame) => (frame.type === 'tool' ? [frame.id] : []))
      assert.equal(new Set(ids).size, ids.length, 'every call has an id of its own')
    })
  }

  test('a model that writes tool calls as text after writing a file is called again, and then a passing check ends the build', async () => {
    const asText = { ...FINISH, fault: 'calls_as_text', repeat: true }
    const { end, calls } = await runSteps('text-later', [WRITE, asText])
    assert.equal(kindOf(end), 'finished')
    assert.equal(calls.length, 3)
  })

  test('a truncated model response without a tool call ends the build as a reply with the text so far', async () => {
    const { end } = await runSteps('text-length', [{ text: 'It is', finish: 'length' }])
    assert.deepEqual(end, { kind: 'replied', message: 'It is' })
  })

  test('no file or step of a truncated model response is stored', async () => {
    const { made } = await runSteps('nothing-kept', [{ ...WRITE, fault: 'cut', repeat: true }])
    assert.deepEqual(made.stored, [])
    assert.equal(made.workspace.isChanged, false)
  })
})

describe('through the API', () => {
  let world: BuildWorld
  before(async () => {
    world = await buildWorld()
  })
  after(() => world.close())

  for (const fault of ['hang', 'silence']) {
    test(`a build whose model has the fault ${fault} is cancelled within five seconds, and the model is not called again`, async () => {
      leaves(A_BUILD)
      const place = await world.openProject([{ ...WRITE, fault }])
      const frames = place.stream()
      await place.until(async () => (await place.calls()).length === 1)
      const begun = performance.now()
      assert.equal((await place.cancel()).status, 200)
      const last = (await frames).at(-1)
      assert.deepEqual([last?.type, last?.['status']], ['done', 'cancelled'])
      assert.ok(performance.now() - begun < 5_000)
      assert.equal((await place.calls()).length, 1)
    })
  }

  test('the tokens of a failed model call are included in the usage of the build and of the project', async () => {
    leaves(A_GREEN_BUILD)
    const cost = { input: 700, output: 30 }
    const place = await world.openProject([
      { usage: cost },
      { ...WRITE, usage: { input: 800, output: 40, cacheRead: 500, reasoning: 7 } },
      { ...FINISH, usage: { input: 900, output: 50 } },
    ])
    const frames = await place.stream()
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    const runs = await place.get<{ items: { usage: object }[] }>('/runs')
    assert.deepEqual(runs.data.items[0]?.usage, { input: 2_400, output: 120, cacheRead: 500, cacheWrite: 0 })
    const usage = await place.get<{ total: Record<string, unknown> }>('/usage')
    const { input, output, reasoning, cacheRead, estimated } = usage.data.total
    assert.deepEqual([input, output, reasoning, cacheRead, estimated], [2_400, 120, 7, 500, false])
  })

  test('a build whose prompt is too long for the model shortens the prompt once and continues', async () => {
    leaves(A_GREEN_BUILD)
    const steps = Array.from({ length: 14 }, (_, n) => ({
      toolCalls: [write('shared/a.ts', `export const a = '${String(n % 10).repeat(9_000)}${n}'\n`)],
    }))
    const place = await world.openProject([...steps, { fault: 'context_400' }, FINISH])
    const frames = await place.stream()
    assert.equal(frames.at(-1)?.['status'], 'built', JSON.stringify(frames.at(-1)))
    assert.equal(frames.filter((frame) => frame.type === 'retry').length, 1)
    const calls = await place.calls()
    const sizes = calls.map(({ request }) => JSON.stringify(request.messages).length)
    assert.ok((sizes.at(-1) ?? 0) < (sizes.at(-2) ?? 0) * 0.6, sizes.join(' '))
    assert.match(JSON.stringify(calls.at(-1)?.request.messages), /The conversation was shortened/)
  })
})
