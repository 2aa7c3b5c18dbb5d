import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { type BudgetCalls, budgetHandlers } from '../directory/budget.ts'
import type { Objects } from '../kernel/objects/objects.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'
import type { AiCalls } from './types.ts'

const NOW = Date.parse('2026-11-20T10:00:00Z')
const MODEL_TIMEOUT_MS = 60_000
const CHAT = { messages: [{ role: 'user' as const, content: 'Hi' }] }
const HELLO = { text: 'Hello', toolCalls: [], usage: { inputTokens: 0, outputTokens: 0 } }

const importRpc = () => importInWorkerd(() => import('./rpc.ts'))
type Rpc = Awaited<ReturnType<typeof importRpc>>

/** The live worker of an app that may run models three times a month. */
class World {
  readonly #rpc: Rpc
  readonly #storage = memoryStorage()
  readonly #budget = budgetHandlers(this.#storage)
  /** The names of the objects that were called. */
  readonly called = new Set<string>()
  readonly asked: string[] = []
  /** Called before each call to the budget. May throw. */
  beforeBudget: (kind: string) => void = () => {}
  respond: () => unknown = () => ({ response: 'Hello' })

  constructor(rpc: Rpc) {
    this.#rpc = rpc
  }

  get context() {
    const budget = async (kind: keyof BudgetCalls, ask: never) => {
      this.beforeBudget(kind)
      return this.#budget[kind](ask)
    }
    const objects = {
      getByName: (name: string) => {
        this.called.add(name)
        return { budget }
      },
    } as unknown as Objects
    const AI = {
      run: async (model: string) => {
        this.asked.push(model)
        return await this.respond()
      },
    }
    return { objects, env: { AI, AI_MONTHLY_RUNS: '3', AI_MODEL: '@cf/x' } }
  }

  /** Calls the live worker and returns the value, or the error, of its answer. */
  async ask<Kind extends keyof AiCalls>(kind: Kind, asked: AiCalls[Kind]['ask']) {
    const answer = await this.#rpc.handleAi(this.context, kind, asked)
    return answer.ok ? answer.value : answer.error
  }

  spend() {
    return this.#rpc.readSpend(this.context)
  }
}

describe('model runs in the live worker', () => {
  let rpc: Rpc
  let world: World
  let logged: { message: string; route: string }[]
  before(async () => {
    rpc = await importRpc()
  })
  beforeEach(() => {
    mock.restoreAll()
    mock.timers.reset()
    mock.timers.enable({ apis: ['Date', 'setTimeout'], now: NOW })
    logged = recordErrors()
    world = new World(rpc)
  })
  after(() => {
    mock.restoreAll()
    mock.timers.reset()
  })
  const used = async () => (await world.spend()).used

  test("every kind of model call counts as one run of the live app's monthly budget", async () => {
    assert.deepEqual(await world.ask('run', CHAT), HELLO)
    const stream = new ReadableStream<Uint8Array>()
    world.respond = () => stream
    assert.equal(await world.ask('stream', CHAT), stream)
    world.respond = () => ({ data: [[1], [2]] })
    assert.deepEqual(await world.ask('embed', { texts: ['a', 'b'] }), [[1], [2]])
    assert.deepEqual(await world.spend(), { month: '2026-11', used: 3 })
    assert.deepEqual([...world.called], ['dir'])
  })

  test("once a month's AI runs are used up, no model is called, and the error says when runs are available again", async () => {
    for (let runs = 0; runs < 3; runs++) await world.ask('run', CHAT)
    const message = 'The 3 runs of this month are used up. More is available from 2026-12-01.'
    const seconds = (Date.parse('2026-12-01T00:00:00Z') - NOW) / 1000
    const refusal = { code: 'rate_limited', message, retryAfterSeconds: seconds }
    assert.deepEqual(
      [await world.ask('run', CHAT), await world.ask('embed', { texts: ['a'] }), world.asked.length],
      [refusal, refusal, 3],
    )
    mock.timers.setTime(Date.parse('2026-12-01T00:00:00Z'))
    assert.deepEqual(await world.ask('run', CHAT), HELLO)
  })

  test('concurrent calls together never exceed the monthly number of runs', async () => {
    const gate = Promise.withResolvers<void>()
    world.respond = async () => {
      await gate.promise
      return { response: 'Hello' }
    }
    const calls = Array.from({ length: 5 }, () => world.ask('run', CHAT))
    gate.resolve()
    const codes = (await Promise.all(calls)).map((one) => ('code' in one ? one.code : 'ok'))
    assert.deepEqual(
      [codes, world.asked.length, await used()],
      [['ok', 'ok', 'ok', 'rate_limited', 'rate_limited'], 3, 3],
    )
  })

  test("a failed AI run does not count toward the budget, and its error is logged without the provider's text", async () => {
    world.respond = () => {
      throw new Error('500: the prompt was Hi')
    }
    const failed = { code: 'model_error', message: 'The model failed (500). Try again.' }
    assert.deepEqual(
      [await world.ask('run', CHAT), await used(), logged],
      [failed, 0, [{ message: failed.message, route: 'ai' }]],
    )
  })

  test('an embedding call fails and is not counted when the model returns fewer vectors than texts', async () => {
    world.respond = () => ({ data: [[1]] })
    const failed = { code: 'model_error', message: 'The model failed. Try again.' }
    assert.deepEqual([await world.ask('embed', { texts: ['a', 'b'] }), await used()], [failed, 0])
  })

  test('an AI run that times out after a minute fails and counts toward the budget, because the provider may charge for it', async () => {
    world.respond = () => new Promise(() => {})
    const asked = world.ask('run', CHAT)
    while (world.asked.length === 0) await new Promise((resolve) => setImmediate(resolve))
    mock.timers.tick(MODEL_TIMEOUT_MS)
    const failed = { code: 'model_error', message: 'The model did not respond within 60 seconds.' }
    assert.deepEqual([await asked, await used(), logged.length], [failed, 1, 1])
  })

  test('an AI run counts toward the budget even if the first call that settles its reservation fails', async () => {
    let failures = 1
    world.beforeBudget = (kind) => {
      if (kind === 'settle' && failures-- > 0) throw new Error('The object restarts.')
    }
    assert.deepEqual([await world.ask('run', CHAT), await used()], [HELLO, 1])
    // A reservation that was not settled would expire after ten minutes.
    mock.timers.tick(11 * 60_000)
    assert.equal(await used(), 1)
  })

  test('the reply of a model is returned even if the budget reservation of the run cannot be settled', async () => {
    world.beforeBudget = (kind) => {
      if (kind === 'settle') throw new Error('The object restarts.')
    }
    assert.deepEqual(
      [await world.ask('run', CHAT), logged],
      [HELLO, [{ message: 'The object restarts.', route: 'ai' }]],
    )
  })

  test('the error of a failed AI run is returned even if its budget reservation cannot be released', async () => {
    world.beforeBudget = (kind) => {
      if (kind === 'release') throw new Error('The object restarts.')
    }
    world.respond = () => {
      throw new Error('429:')
    }
    const message = 'The model provider accepts no more requests now. Try again later.'
    assert.deepEqual(await world.ask('run', CHAT), { code: 'model_error', message })
  })

  test('a conversation for a model must have 1 to 200 messages and at most 200,000 characters, or no AI run is counted', async () => {
    const message = { role: 'user' as const, content: 'Hi' }
    const messages = (problem: string) => ({
      code: 'invalid_request',
      message: `messages: ${problem}`,
      field: 'messages',
    })
    const count = messages('must be 1 to 200 messages')
    for (const given of [[], Array.from({ length: 201 }, () => message), 'Hi', null, {}]) {
      assert.deepEqual(await world.ask('run', { messages: given as never }), count)
      assert.deepEqual(await world.ask('stream', { messages: given as never }), count)
    }
    assert.deepEqual(await world.ask('run', { messages: Array.from({ length: 200 }, () => message) }), HELLO)
    const frame = JSON.stringify([[{ ...message, content: '' }], null, null]).length
    const chars = (length: number) => ({ messages: [{ ...message, content: 'x'.repeat(length) }] })
    assert.deepEqual(await world.ask('run', chars(200_000 - frame)), HELLO)
    const size = messages('must have at most 200000 characters together')
    assert.deepEqual(await world.ask('run', chars(200_001 - frame)), size)
    const schema = { description: 'x'.repeat(200_000) }
    assert.deepEqual(await world.ask('run', { ...CHAT, schema }), size)
    assert.deepEqual([world.asked.length, await used()], [2, 2])
  })

  test('a list of texts to embed must have 1 to 100 texts and at most 200,000 characters, or no AI run is counted', async () => {
    const texts = (problem: string) => ({
      code: 'invalid_request',
      message: `texts: ${problem}`,
      field: 'texts',
    })
    const count = texts('must be 1 to 100 texts')
    for (const given of [[], Array.from({ length: 101 }, () => 'a'), [''], ['a', 5], 'a', null])
      assert.deepEqual(await world.ask('embed', { texts: given as never }), count, JSON.stringify(given))
    const size = texts('must have at most 200000 characters together')
    assert.deepEqual(await world.ask('embed', { texts: ['x'.repeat(200_000), 'y'] }), size)
    assert.deepEqual([world.asked.length, await used()], [0, 0])
  })
})
