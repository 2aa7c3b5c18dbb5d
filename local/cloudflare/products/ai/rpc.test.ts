import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { openStore } from '../../../schema.ts'
import type { Store } from '../../../world/store.ts'
import { createAccount } from '../../accounts/accounts.ts'
import type { AiBackend, ChatCompletionRequest } from './backend.ts'
import { putGateway } from './gateways.ts'
import { AI_MODELS } from './models.ts'
import { AiRefusal } from './refusal.ts'
import { handleAi } from './rpc.ts'

const MODEL = '@cf/meta/llama-3.1-8b-instruct'

describe('calls of the AI binding', () => {
  let store: Store
  let accountId: string
  let asked: ChatCompletionRequest[]
  /** The results of the model server, in order: a response or an error. */
  let answers: (Response | Error)[]
  beforeEach(() => {
    store = openStore(':memory:')
    accountId = createAccount(store, { name: 'Acme', plan: 'paid', at: 0 }).id
    putGateway(store, accountId, { id: 'shop', settings: {}, at: 0 })
    asked = []
    answers = []
  })
  afterEach(() => store.close())

  const backend: AiBackend = {
    chat: async (request) => {
      asked.push(request)
      const answer = answers.shift() ?? Response.json({})
      if (answer instanceof Error) throw answer
      return answer
    },
    embed: async () => [],
  }
  const call = async (path: string, body: unknown, owner = accountId) => {
    const response = await handleAi(
      { store, backend, now: () => 0 },
      {
        props: { accountId: owner },
        method: 'POST',
        path,
        headers: new Headers(),
        bytes: async () => Buffer.from(JSON.stringify(body)),
      },
    )
    return [response.status, await response.json()]
  }
  const request = (model: string, change: object = {}) => ({
    provider: 'compat',
    endpoint: 'chat/completions',
    headers: { Authorization: 'Bearer key' },
    query: { model, messages: [] },
    ...change,
  })
  const through = (requests: object[], id = 'shop', owner = accountId) =>
    call('/gateway', { id, requests }, owner)
  const models = () => asked.map(({ model }) => model)
  const outage = (name: string) => new AiRefusal(3043, `${name} cannot be reached`, 502)

  test('an AI gateway sends its requests in order until one succeeds, and returns that response', async () => {
    answers = [Response.json({ error: 'busy' }, { status: 429 }), Response.json({ id: 'two' })]
    assert.deepEqual(await through([request('one'), request('two'), request('three')]), [200, { id: 'two' }])
    assert.deepEqual(models(), ['one', 'two'])
  })

  test("an AI gateway sends the next request when the previous request's model server cannot be reached", async () => {
    answers = [outage('one'), Response.json({ id: 'two' })]
    assert.deepEqual(await through([request('one'), request('two')]), [200, { id: 'two' }])
    assert.deepEqual(models(), ['one', 'two'])
  })

  test('when all requests of an AI gateway fail, the last failure is returned', async () => {
    answers = [Response.json({}, { status: 500 }), Response.json({ error: 'two' }, { status: 429 })]
    assert.deepEqual(await through([request('one'), request('two')]), [429, { error: 'two' }])
    answers = [Response.json({}, { status: 500 }), outage('two')]
    assert.deepEqual(await through([request('one'), request('two')]), [
      502,
      { message: '3043: two cannot be reached' },
    ])
    answers = [outage('one'), Response.json({ error: 'two' }, { status: 429 })]
    assert.deepEqual(await through([request('one'), request('two')]), [429, { error: 'two' }])
  })

  test('an AI gateway request without an API key fails with status 401 and reaches no model', async () => {
    for (const headers of [{}, { authorization: 'key' }, { authorization: 'Bearer ' }, { authorization: 7 }])
      assert.deepEqual(await through([request('one', { headers })]), [
        401,
        { error: { message: 'You did not provide an API key.' } },
      ])
    assert.deepEqual(models(), [])
    const second = request('two')
    assert.deepEqual(await through([request('one', { headers: {} }), second]), [200, {}])
    assert.deepEqual(models(), ['two'])
  })

  test('an AI gateway refuses a provider or an endpoint that is not simulated', async () => {
    for (const [change, provider] of [
      [{ provider: 'openai' }, 'openai'],
      [{ endpoint: 'embeddings' }, 'compat'],
    ] as const)
      assert.deepEqual(await through([request('one', change)]), [
        400,
        { message: `2008: Invalid provider: only compat chat/completions is simulated, not ${provider}` },
      ])
  })

  test('a call through an AI gateway that does not exist or belongs to another account is refused and reaches no model', async () => {
    const missing = {
      message: '2001: Please configure AI Gateway in the Cloudflare dashboard: it does not exist.',
    }
    assert.deepEqual(
      [
        await through([request('one')], 'none'),
        await through([request('one')], 'shop', 'another'),
        await call('/run', { model: MODEL, inputs: { prompt: 'x' }, gateway: { id: 'none' } }),
      ],
      Array.from({ length: 3 }, () => [400, missing]),
    )
    assert.deepEqual(models(), [])
  })

  test("an AI model runs with or without a gateway, and an unknown model is refused with the provider's error code", async () => {
    const completion = () =>
      Response.json({ choices: [{ message: { content: 'hello' } }], usage: { total_tokens: 1 } })
    for (const gateway of [undefined, null, { id: 'shop' }]) {
      answers = [completion()]
      const value = { response: 'hello', usage: { total_tokens: 1 } }
      assert.deepEqual(await call('/run', { model: MODEL, inputs: { prompt: 'x' }, gateway }), [200, value])
    }
    assert.deepEqual(await call('/run', { model: 'none', inputs: {} }), [
      400,
      { message: '5007: No such model none or task' },
    ])
    assert.deepEqual(await call('/models', {}), [200, JSON.parse(JSON.stringify(AI_MODELS))])
  })

  test('an AI binding call with missing or malformed inputs is refused with a message for the app and reaches no model', async () => {
    const calls: [path: string, body: object][] = [
      ['/run', { model: MODEL }],
      ['/run', { model: MODEL, inputs: null }],
      ['/run', { inputs: { prompt: 'x' } }],
      ['/run', { model: MODEL, inputs: { prompt: 'x' }, gateway: 'shop' }],
      ['/gateway', { id: 'shop', requests: [] }],
      ['/gateway', { id: 'shop', requests: [{ provider: 'compat', endpoint: 'chat/completions' }] }],
      ['/gateway', { id: 'shop', requests: [null] }],
    ]
    for (const [path, body] of calls) {
      const [status, answer] = await call(path, body)
      assert.equal(status, 400, JSON.stringify(body))
      assert.match((answer as { message: string }).message, /^5006: Error: /)
    }
    assert.deepEqual(models(), [])
  })
})
