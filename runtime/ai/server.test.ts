import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { ApiError } from '../kernel/errors.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import type { CollectionName } from '../data/types.ts'
import type { AiPrompt, AiTool, ServerAi } from './server.ts'
import type { AiChat, AiReply } from './types.ts'

const importServer = () => importInWorkerd(() => import('./server.ts'))

const reply = (text: string, ...calls: [id: string, name: string, args: string][]): AiReply => ({
  text,
  toolCalls: calls.map(([id, name, args]) => ({ id, type: 'function', function: { name, arguments: args } })),
  usage: { inputTokens: 2, outputTokens: 1 },
})

describe('AI models for the server code of an app', () => {
  let ai: ServerAi
  let asked: { kind: string; ask: AiChat }[]
  let found: { caller: unknown; request: object }[]
  let replies: unknown[]
  let logged: { message: string; route: string }[]
  before(async () => {
    ai = (await importServer()).ai
  })
  beforeEach(() => {
    mock.restoreAll()
    logged = recordErrors()
    asked = []
    found = []
    replies = []
    enableCapabilities('ai', 'data')
    workerEnv['LIVE'] = {
      ai: async (kind: string, ask: AiChat) => {
        asked.push({ kind, ask: structuredClone(ask) })
        const value = replies.shift()
        return value instanceof ApiError
          ? { ok: false, error: { code: value.code, message: value.message } }
          : { ok: true, value }
      },
      data: async (_hash: string, caller: unknown, request: object) => {
        found.push({ caller, request })
        return JSON.stringify({ ok: true, value: [{ record: { id: 'n1' }, score: 0.9 }] })
      },
    }
  })
  after(() => {
    mock.restoreAll()
    enableCapabilities()
    delete workerEnv['LIVE']
  })
  const chats = () => asked.map(({ ask }) => ask)

  test('a prompt can be a string, a string with instructions, or a conversation', async () => {
    const conversation = [
      { role: 'user' as const, content: 'Hi' },
      { role: 'assistant' as const, content: 'Hello' },
    ]
    for (const prompt of [
      'Hi',
      { prompt: 'Hi' },
      { prompt: 'Hi', system: 'Be short.' },
      { messages: conversation, system: 'Be short.' },
    ]) {
      replies = [reply('Yes')]
      assert.deepEqual(await ai.run(prompt), { text: 'Yes', usage: { inputTokens: 2, outputTokens: 1 } })
    }
    const [user, system] = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'Be short.' },
    ]
    assert.deepEqual(chats(), [
      { messages: [user] },
      { messages: [user] },
      { messages: [system, user] },
      { messages: [system, ...conversation] },
    ])
  })

  test('a prompt that is neither a text nor a conversation is rejected before the model is called', async () => {
    for (const prompt of [undefined, null, 7, {}, { prompt: 7 }, { messages: 'Hi' }] as unknown as AiPrompt[])
      for (const call of [ai.run(prompt), ai.stream(prompt), ai.object({ type: 'string' }, prompt)])
        await assert.rejects(call, { code: 'invalid_request', field: 'prompt' })
    assert.deepEqual(chats(), [])
  })

  test('a model gets the result of each tool that it calls, and the tokens of all rounds are summed', async () => {
    const input = { properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = {
      weather: { description: 'The weather', input, run: ({ city }) => ({ city, sun: true }) },
    } satisfies Record<string, AiTool>
    const calls = reply('', ['c1', 'weather', '{"city":"Rome"}'], ['c2', 'weather', '{"city":"Oslo"}'])
    replies = [calls, reply('Sunny')]
    assert.deepEqual(await ai.run('How is it?', { tools }), {
      text: 'Sunny',
      usage: { inputTokens: 4, outputTokens: 2 },
    })
    const specs = [
      { type: 'function', function: { name: 'weather', description: 'The weather', parameters: input } },
    ]
    const user = { role: 'user', content: 'How is it?' }
    const result = (id: string, city: string) => ({
      role: 'tool',
      tool_call_id: id,
      name: 'weather',
      content: JSON.stringify({ city, sun: true }),
    })
    assert.deepEqual(chats(), [
      { messages: [user], tools: specs },
      {
        messages: [
          user,
          { role: 'assistant', content: '', tool_calls: calls.toolCalls },
          result('c1', 'Rome'),
          result('c2', 'Oslo'),
        ],
        tools: specs,
      },
    ])
  })

  test('after five rounds of tool calls a model is offered no tools, so that it must reply with text', async () => {
    const tools = { next: { description: 'Next', input: {}, run: () => null } }
    replies = Array.from({ length: 6 }, () => reply('still busy', ['c', 'next', '{}']))
    assert.equal((await ai.run('Go', { tools })).text, 'still busy')
    assert.deepEqual(
      chats().map((chat) => chat.tools?.length),
      [1, 1, 1, 1, 1, undefined],
    )
  })

  test('a model call without tools contains no empty tool list, which some providers reject', async () => {
    replies = [reply('Hi')]
    await ai.run('Hi', { tools: {} })
    assert.deepEqual(chats(), [{ messages: [{ role: 'user', content: 'Hi' }] }])
  })

  test('the model gets the reason for a failed tool call, and only faults of the app are logged', async () => {
    const input = { properties: { n: { type: 'integer' } }, required: ['n'] }
    const ran: unknown[] = []
    const circular: Record<string, unknown> = {}
    circular['self'] = circular
    const tools: Record<string, AiTool> = {
      add: { description: '', input, run: (given) => void ran.push(given) },
      refuse: {
        description: '',
        input: {},
        run: () => Promise.reject(new ApiError('not_found', 'No such order.')),
      },
      crash: { description: '', input: {}, run: () => Promise.reject(new Error('password is 1234')) },
      loop: { description: '', input: {}, run: () => circular },
    }
    const calls: [name: string, args: string, content: unknown][] = [
      ['add', '{"n":1}', null],
      ['add', '', { error: 'input.n is missing' }],
      ['add', '{"n":"1"}', { error: 'input.n must be integer' }],
      ['add', '[1]', { error: 'input must be object' }],
      ['add', '{"n":', { error: 'input must be object' }],
      ['toString', '{}', { error: 'there is no such function' }],
      ['__proto__', '{}', { error: 'there is no such function' }],
      ['refuse', '{}', { error: 'No such order.' }],
      ['crash', '{}', { error: 'it failed' }],
      ['loop', '{}', { error: 'it failed' }],
    ]
    replies = [
      reply('', ...calls.map(([name, args], i): [string, string, string] => [`c${i}`, name, args])),
      reply('ok'),
    ]
    await ai.run('Go', { tools })
    const results = chats()[1]?.messages.flatMap((one) =>
      one.role === 'tool' ? [JSON.parse(one.content)] : [],
    )
    assert.deepEqual(
      results,
      calls.map(([, , content]) => content),
    )
    assert.deepEqual(ran, [{ n: 1 }])
    assert.deepEqual(
      logged.map(({ message, route }) => [message.split('\n')[0], route]),
      [
        ['password is 1234', 'ai.run crash'],
        ['Converting circular structure to JSON', 'ai.run loop'],
      ],
    )
  })

  test('a long tool result is cut to 20,000 characters, and no character is cut in half', async () => {
    const content = async (result: string) => {
      replies = [reply('', ['c', 'read', '{}']), reply('ok')]
      asked = []
      await ai.run('Go', { tools: { read: { description: '', input: {}, run: () => result } } })
      const last = chats()[1]?.messages.at(-1)
      return last?.role === 'tool' ? last.content : ''
    }
    assert.equal(await content('x'.repeat(19_998)), `"${'x'.repeat(19_998)}"`)
    assert.equal(await content('x'.repeat(30_000)), `"${'x'.repeat(19_999)}`)
    const cut = await content(`${'x'.repeat(19_998)}😀😀`)
    assert.deepEqual([cut.length, cut.isWellFormed()], [20_000, true])
  })

  test('a model is called again when its reply does not match the JSON schema, and a second mismatch fails the call', async () => {
    const schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } as const
    replies = [reply('{"n":1}')]
    assert.deepEqual(await ai.object(schema, 'Count'), { n: 1 })
    replies = [reply('Sure!'), reply('```json\n{"n":2}\n```')]
    assert.deepEqual(await ai.object(schema, { prompt: 'Count', system: 'Be exact.' }), { n: 2 })
    const system = {
      role: 'system',
      content: `Be exact.\n\nAnswer only with JSON that fits this schema: ${JSON.stringify(schema)}`,
    }
    const user = { role: 'user', content: 'Count' }
    assert.deepEqual(chats().slice(1), [
      { messages: [system, user], schema },
      {
        messages: [
          system,
          user,
          { role: 'assistant', content: 'Sure!' },
          {
            role: 'user',
            content: 'That does not fit: answer is not JSON. Answer with the corrected JSON only.',
          },
        ],
        schema,
      },
    ])
    replies = [reply('{"n":"1"}'), reply('{}')]
    await assert.rejects(ai.object(schema, 'Count'), {
      code: 'model_error',
      message: "The model's answer is invalid: answer.n is missing.",
    })
  })

  test("null and false are accepted as a model's reply when they match the requested JSON schema", async () => {
    replies = [reply('null'), reply('false')]
    assert.deepEqual(
      [await ai.object({ type: 'null' }, 'a'), await ai.object({ type: 'boolean' }, 'b')],
      [null, false],
    )
  })

  test("a search by text computes the text's vector only after the search is allowed", async () => {
    replies = [[[1, 2]]]
    const records = [{ record: { id: 'n1' }, score: 0.9 }]
    const collection = 'notes' as CollectionName
    assert.deepEqual(await ai.similar(collection, { text: 'fern' }, { limit: 3, partition: 't_1' }), records)
    const base = { kind: 'similar', collection, limit: 3, partition: 't_1' }
    assert.deepEqual(found.splice(0), [
      { caller: 'system', request: { ...base, to: { vector: [] } } },
      { caller: 'system', request: { ...base, to: { vector: [1, 2] } } },
    ])
    assert.deepEqual(await ai.as(new Request('https://app.test/')).similar(collection, { id: 'n2' }), records)
    assert.deepEqual(found, [
      { caller: 'anonymous', request: { kind: 'similar', collection, limit: 10, to: { id: 'n2' } } },
    ])
    assert.deepEqual(asked, [{ kind: 'embed', ask: { texts: ['fern'] } }])
  })

  test('a search by meaning without a record or a text is refused before it is made', async () => {
    const wrong = [undefined, null, 'fern', {}, { text: undefined }] as unknown as { text: string }[]
    for (const to of wrong)
      await assert.rejects(ai.similar('notes', to), { code: 'invalid_request', field: 'to' })
    assert.deepEqual([asked, found], [[], []])
  })

  test('a search by text that is not allowed computes no vector', async () => {
    Object.assign(workerEnv['LIVE'] as object, {
      data: async () => JSON.stringify({ ok: false, error: { code: 'forbidden', message: 'No.' } }),
    })
    const search = ai.similar('notes', { text: 'fern' })
    await assert.rejects(search, { code: 'forbidden', message: 'No.' })
    assert.deepEqual(asked, [])
  })

  test('when a model call fails in the live worker, its error is thrown with its code, and no tool is called', async () => {
    replies = [new ApiError('rate_limited', 'The 3 runs of this month are used up.')]
    const tools = { never: { description: '', input: {}, run: () => assert.fail('not called') } }
    await assert.rejects(ai.run('Hi', { tools }), {
      code: 'rate_limited',
      message: 'The 3 runs of this month are used up.',
    })
  })

  test('while the AI capability is off, every AI call fails with not_enabled and reaches neither a model nor the records', async () => {
    enableCapabilities('data')
    const off = { code: 'not_enabled' }
    await assert.rejects(ai.run('Hi'), off)
    await assert.rejects(ai.stream('Hi'), off)
    await assert.rejects(ai.embed(['Hi']), off)
    await assert.rejects(ai.similar('notes', { id: 'n1' }), off)
    assert.deepEqual([asked, found], [[], []])
  })
})
