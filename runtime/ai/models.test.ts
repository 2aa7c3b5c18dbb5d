import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError } from '../kernel/errors.ts'
import { aiSettingsOf, askModel, embedTexts, modelError, parseModelReply } from './models.ts'
import type { AiChat } from './types.ts'

const CHAT: AiChat = { messages: [{ role: 'user', content: 'Hi' }] }
const NO_USAGE = { inputTokens: 0, outputTokens: 0 }

/** Returns a live worker's AI bindings, which record the model calls. */
function openModels(variables: object = {}, respond: () => unknown = () => ({})) {
  const calls: unknown[] = []
  const AI = {
    run: async (...asked: unknown[]) => {
      calls.push(asked)
      return respond()
    },
    gateway: (gateway: string) => ({
      run: async (asked: object) => {
        calls.push({ gateway, ...asked })
        return respond()
      },
    }),
  }
  return { settings: aiSettingsOf({ AI, ...variables }), calls }
}

const codeOf = (error: unknown) => {
  const { code, message } = modelError(error)
  return [code, message]
}

describe('the models of an app', () => {
  test('without AI settings an app uses the default model, 1,000 runs a month and 1,024 tokens a run', () => {
    const defaults = {
      models: null,
      model: '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
      gateway: '',
      providerKey: '',
      monthlyRuns: 1000,
      maxTokens: 1024,
    }
    assert.deepEqual(aiSettingsOf({}), defaults)
    const empty = { AI_MODEL: '', AI_MONTHLY_RUNS: '', AI_MAX_TOKENS: 'many' }
    assert.deepEqual(aiSettingsOf(empty), defaults)
  })

  test("a Workers AI call contains tools, token limit and JSON schema, and goes through the app's gateway if there is one", async () => {
    const schema = { type: 'object' }
    const tools = [{ type: 'function' as const, function: { name: 'f', description: 'd', parameters: {} } }]
    const { settings, calls } = openModels({ AI_MODEL: '@cf/x', AI_MAX_TOKENS: '50', AI_GATEWAY: 'gate' })
    await askModel(settings, { ...CHAT, tools, schema }, false)
    await askModel(settings, CHAT, true)
    await askModel({ ...settings, gateway: '' }, CHAT, false)
    const { messages } = CHAT
    const format = { type: 'json_schema', json_schema: schema }
    assert.deepEqual(calls, [
      ['@cf/x', { messages, tools, max_tokens: 50, response_format: format }, { gateway: { id: 'gate' } }],
      ['@cf/x', { messages, stream: true, max_tokens: 50 }, { gateway: { id: 'gate' } }],
      ['@cf/x', { messages, max_tokens: 50 }, {}],
    ])
  })

  test("another provider's model is called with its key, and only OpenAI gets the token limit as max_completion_tokens", async () => {
    const variables = { AI_PROVIDER_KEY: 'sk-1', AI_GATEWAY: 'gate', AI_MAX_TOKENS: '50' }
    const sent = async (model: string, chat: AiChat, isStream = false) => {
      const { settings, calls } = openModels({ ...variables, AI_MODEL: model }, () => Response.json({}))
      await askModel(settings, chat, isStream)
      return calls[0]
    }
    const base = {
      gateway: 'gate',
      provider: 'compat',
      endpoint: 'chat/completions',
      headers: { 'content-type': 'application/json', authorization: 'Bearer sk-1' },
    }
    const { messages } = CHAT
    assert.deepEqual(await sent('openai/gpt-9', CHAT), {
      ...base,
      query: { model: 'openai/gpt-9', messages, max_completion_tokens: 50 },
    })
    assert.deepEqual(await sent('anthropic/claude', { ...CHAT, schema: { type: 'object' } }, true), {
      ...base,
      query: {
        model: 'anthropic/claude',
        messages,
        stream: true,
        max_tokens: 50,
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'answer', schema: { type: 'object' } },
        },
      },
    })
  })

  test("a model of another provider is not called without the provider's key or without a gateway", () => {
    for (const variables of [{ AI_PROVIDER_KEY: 'sk-1' }, { AI_GATEWAY: 'gate' }]) {
      const { settings, calls } = openModels({ ...variables, AI_MODEL: 'openai/gpt-9' })
      assert.throws(() => askModel(settings, CHAT, false), {
        code: 'conflict',
        message: 'The model openai/gpt-9 needs a provider key in the settings of ai.',
      })
      assert.deepEqual(calls, [])
    }
  })

  test("a provider's error is reported without its text, which may contain the prompt or a part of the key", async () => {
    const body = { error: { message: 'Incorrect API key provided: sk-1' } }
    const { settings } = openModels(
      { AI_PROVIDER_KEY: 'sk-1', AI_GATEWAY: 'gate', AI_MODEL: 'openai/gpt-9' },
      () => Response.json(body, { status: 401 }),
    )
    await assert.rejects(askModel(settings, CHAT, false), { message: '401:' })
    const reasons: [thrown: unknown, message: string][] = [
      [new Error('401:'), 'The model provider refused the key.'],
      [new Error('403: sk-1'), 'The model provider refused the key.'],
      [new Error('404:'), 'The provider does not know the model. Choose another one in the settings of ai.'],
      [
        new Error('5007: No such model @cf/x'),
        'The provider does not know the model. Choose another one in the settings of ai.',
      ],
      [new Error('429:'), 'The model provider accepts no more requests now. Try again later.'],
      [new Error('3036: out'), 'The free allowance of Workers AI for today is used up.'],
      [new Error('500: Hi'), 'The model failed (500). Try again.'],
      [new Error('Unexpected token H'), 'The model failed. Try again.'],
      ['a text', 'The model failed. Try again.'],
      [null, 'The model failed. Try again.'],
    ]
    for (const [thrown, message] of reasons) assert.deepEqual(codeOf(thrown), ['model_error', message])
    const known = new ApiError('rate_limited', 'Later.')
    assert.equal(modelError(known), known)
  })

  test('a model call in an app without the AI binding fails with not_enabled', () => {
    assert.throws(() => askModel(aiSettingsOf({}), CHAT, false), {
      code: 'not_enabled',
      message: 'The app is not bound to models yet. Ship it again.',
    })
  })

  test('replies of Workers AI and of OpenAI are converted to the same shape', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 4 }
    const tokens = { inputTokens: 3, outputTokens: 4 }
    const call = { id: 'c1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
    const replies: [answer: unknown, reply: unknown][] = [
      [
        { response: 'Hi', usage },
        { text: 'Hi', toolCalls: [], usage: tokens },
      ],
      [{ choices: [{ message: { content: 'Hi' } }] }, { text: 'Hi', toolCalls: [], usage: NO_USAGE }],
      [{ response: { a: 1 } }, { text: '{"a":1}', toolCalls: [], usage: NO_USAGE }],
      [{ response: 12 }, { text: '12', toolCalls: [], usage: NO_USAGE }],
      [
        { response: '', tool_calls: [{ id: 'c1', name: 'f', arguments: { a: 1 } }] },
        { text: '', toolCalls: [call], usage: NO_USAGE },
      ],
      [
        { choices: [{ message: { content: null, tool_calls: [call] } }], usage },
        { text: '', toolCalls: [call], usage: tokens },
      ],
      // Some models return the arguments as an object, even in the format of OpenAI.
      [
        {
          choices: [
            { message: { tool_calls: [{ id: 'c1', function: { name: 'f', arguments: { a: 1 } } }] } },
          ],
        },
        { text: '', toolCalls: [call], usage: NO_USAGE },
      ],
      [
        { tool_calls: [{ id: 'c1', name: 'f' }], response: null },
        {
          text: '',
          toolCalls: [{ ...call, function: { name: 'f', arguments: '{}' } }],
          usage: NO_USAGE,
        },
      ],
    ]
    for (const [answer, reply] of replies)
      assert.deepEqual(parseModelReply(answer), reply, JSON.stringify(answer))
  })

  test('a reply with an unexpected shape is read as an empty reply and causes no error', () => {
    const empty = { text: '', toolCalls: [], usage: NO_USAGE }
    for (const answer of [
      null,
      undefined,
      'text',
      {},
      { choices: [] },
      { choices: null },
      { choices: [null] },
      { choices: {} },
      { choices: [{ message: 'Hi' }] },
      { tool_calls: {} },
      { tool_calls: [null, 'f', {}] },
      { choices: [{ message: { content: null, tool_calls: 'none' } }] },
      { usage: null },
      { usage: { prompt_tokens: '3', completion_tokens: null } },
    ])
      assert.deepEqual(parseModelReply(answer), empty, JSON.stringify(answer))
  })

  test('a tool call without an id gets an id, so that its result can be sent back', () => {
    const [first, second] = parseModelReply({ tool_calls: [{ name: 'f' }, { name: 'f' }] }).toolCalls
    assert.match(first?.id ?? '', /^[\da-f-]{36}$/)
    assert.notEqual(first?.id, second?.id)
  })

  test('text vectors are computed by a multilingual model (bge-m3)', async () => {
    const { settings, calls } = openModels({}, () => ({ data: [[1, 2]] }))
    assert.deepEqual(await embedTexts(settings, ['Hi']), [[1, 2]])
    assert.deepEqual(calls, [['@cf/baai/bge-m3', { text: ['Hi'] }, {}]])
  })

  test('a response without one numeric vector for each text is reported as a model failure', async () => {
    for (const response of [
      null,
      {},
      { data: null },
      { data: [[1]] },
      { data: [[1], 'x'] },
      { data: [[1], [null]] },
    ]) {
      const { settings } = openModels({}, () => response)
      const asked = embedTexts(settings, ['one', 'two'])
      await assert.rejects(asked, (error) => {
        assert.deepEqual(codeOf(error), ['model_error', 'The model failed. Try again.'])
        return true
      })
    }
  })
})
