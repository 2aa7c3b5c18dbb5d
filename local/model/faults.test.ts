import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { respondWithFault } from './faults.ts'
import { Fault } from './script.ts'
import type { ChatRequest, Turn } from './wire.ts'

const REQUEST: ChatRequest = {
  model: 'scripted',
  messages: [{ role: 'user', content: 'Hi' }],
  stream: true,
  stream_options: { include_usage: true },
}
const TURN: Turn = {
  text: 'Hello',
  toolCalls: [
    { name: 'read_file', args: { path: 'a.ts' } },
    { id: 'own', name: 'check', rawArgs: '{}' },
  ],
}

interface ToolCall {
  id?: string
  index?: number
  function: { name?: string; arguments: string }
}
interface Message {
  content: string | null
  tool_calls?: ToolCall[]
}
interface Chunk {
  choices: { delta: { content?: string; tool_calls?: ToolCall[] }; finish_reason: string | null }[]
  usage?: object
  error?: { message: string }
}

const respond = (
  fault: unknown,
  { request = REQUEST, turn = TURN, signal = new AbortController().signal } = {},
) => respondWithFault(request, turn, Fault.parse(fault), signal)
/** Returns the events of a stream: parsed chunks, and `[DONE]`. */
const eventsOf = async (answer: Response) =>
  (await answer.text())
    .split('\n\n')
    .filter((line) => line !== '')
    .map((line) => (line === 'data: [DONE]' ? '[DONE]' : (JSON.parse(line.slice('data: '.length)) as Chunk)))
/** Responds without streaming. Returns the text, the tool calls and the `finish_reason` of the message. */
const messageOf = async (fault: unknown, request: Partial<ChatRequest> = {}, turn = TURN) => {
  const answer = await respond(fault, { request: { ...REQUEST, stream: false, ...request }, turn })
  const { choices } = (await answer.json()) as { choices: [{ message: Message; finish_reason: string }] }
  const { content, tool_calls: calls = [] } = choices[0].message
  return [
    content,
    calls.map((call) => [call.id, call.function.name, call.function.arguments]),
    choices[0].finish_reason,
  ]
}

describe('the faults of the scripted model', () => {
  test("a simulated HTTP error of the model has the fault's status, type, code and Retry-After", async () => {
    const outcomes = []
    for (const fault of [
      'http_429',
      { kind: 'http_429', retryAfter: 0 },
      { kind: 'http_529', retryAfter: 3 },
      'http_500',
      'http_401',
      'context_400',
    ]) {
      const answer = await respond(fault)
      const { error } = (await answer.json()) as { error: { type: string; code: string | null } }
      outcomes.push([answer.status, error.type, error.code, answer.headers.get('retry-after')])
    }
    assert.deepEqual(outcomes, [
      [429, 'rate_limit_error', null, null],
      [429, 'rate_limit_error', null, '0'],
      [529, 'overloaded_error', null, '3'],
      [500, 'server_error', null, null],
      [401, 'invalid_request_error', 'invalid_api_key', null],
      [400, 'invalid_request_error', 'context_length_exceeded', null],
    ])
  })

  test('a simulated fault in tool calls changes only the ids, names, arguments or format that it is about', async () => {
    const calls = [
      ['call_1_0', 'read_file', '{"path":"a.ts"}'],
      ['own', 'check', '{}'],
    ]
    const changed = (change: (call: string[]) => (string | undefined)[]) => [
      'Hello',
      calls.map(change),
      'tool_calls',
    ]
    assert.deepEqual(
      [
        await messageOf('unknown_tool'),
        await messageOf('bad_json'),
        await messageOf('same_ids'),
        await messageOf('empty_ids'),
        await messageOf('length'),
        await messageOf('calls_as_text'),
      ],
      [
        changed(([id, name, args]) => [id, `imagined_${name}`, args]),
        changed(([id, name]) => [id, name, '{"path": "web/App.tsx", ']),
        changed(([, name, args]) => ['call_same', name, args]),
        changed(([, name, args]) => ['', name, args]),
        [
          ...changed(([id, name, args = '']) => [id, name, args.slice(0, Math.floor(args.length / 2))]).slice(
            0,
            2,
          ),
          'length',
        ],
        [
          '<tool_call>{"name":"read_file","arguments":{"path":"a.ts"}}</tool_call>\n<tool_call>{"name":"check","arguments":{}}</tool_call>',
          [],
          'stop',
        ],
      ],
    )
  })

  test('a simulated fault in tool calls changes nothing in a model response without tool calls', async () => {
    for (const fault of ['unknown_tool', 'bad_json', 'same_ids', 'empty_ids'])
      assert.deepEqual(await messageOf(fault, {}, { text: 'Hello' }), ['Hello', [], 'stop'], fault)
  })

  test('a simulated fault that omits a part of a model stream, such as the usage, leaves the rest unchanged', async () => {
    const whole = await eventsOf(await respond({ kind: 'slow', perSecond: 100_000 }))
    const isLast = (event: unknown) =>
      typeof event === 'object' && (event as Chunk).choices[0]?.finish_reason !== null
    const withoutIndex = structuredClone(whole)
    for (const event of withoutIndex)
      if (typeof event === 'object')
        for (const call of event.choices[0]?.delta.tool_calls ?? []) delete call.index
    assert.deepEqual(
      [
        whole.at(-1),
        whole.filter(isLast).length,
        whole.filter((event) => typeof event === 'object' && event.usage).length,
      ],
      ['[DONE]', 2, 1],
    )
    assert.deepEqual(
      [
        await eventsOf(await respond('no_index')),
        await eventsOf(await respond('no_usage')),
        await eventsOf(await respond('no_finish')),
        await eventsOf(await respond('empty')),
      ],
      [
        withoutIndex,
        whole.filter((event) => typeof event === 'string' || event.usage === undefined),
        whole.filter((event) => typeof event === 'object' && !isLast(event)),
        ['[DONE]'],
      ],
    )
  })

  test('the fault error_in_stream sends the first half of the stream and then an error event', async () => {
    const whole = await eventsOf(await respond({ kind: 'slow', perSecond: 100_000 }))
    const events = await eventsOf(await respond('error_in_stream'))
    assert.deepEqual(events.slice(0, -1), whole.slice(0, Math.floor((whole.length - 1) / 2)))
    assert.deepEqual(events.at(-1), {
      error: { message: 'The engine crashed.', type: 'server_error', param: null, code: null },
    })
  })

  test('the fault html_200 returns the sign-in page of a network as HTML instead of a stream', async () => {
    const answer = await respond('html_200')
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'text/html'])
    assert.match(await answer.text(), /Sign in to the network/)
  })

  test('the fault cut sends afterBytes bytes, by default half of the stream, and then breaks the response', async () => {
    const bytes =
      (await (await respond({ kind: 'slow', perSecond: 100_000 })).text()).length - 'data: [DONE]\n\n'.length
    const sentBefore = async (fault: unknown) => {
      const reader = (await respond(fault)).body?.getReader()
      const { value } = (await reader?.read()) ?? {}
      await assert.rejects(async () => reader?.read(), /cut on request/)
      return value?.length
    }
    assert.deepEqual(
      [
        await sentBefore({ kind: 'cut', afterBytes: 30 }),
        await sentBefore({ kind: 'cut', afterBytes: 0 }),
        await sentBefore({ kind: 'cut', afterBytes: 1_000_000 }),
        await sentBefore('cut'),
      ],
      [30, 0, bytes, Math.floor(bytes / 2)],
    )
  })

  test('a model response with the fault hang or silence ends when the client aborts, even before the request', async () => {
    for (const fault of ['hang', 'silence']) {
      const client = new AbortController()
      const answering = respond(fault, { signal: client.signal }).then((answer) => answer.text())
      client.abort()
      const early = await respond(fault, { signal: AbortSignal.abort() })
      assert.deepEqual(
        [(await answering) === '', (await early.text()) === ''],
        [fault === 'hang', fault === 'hang'],
        fault,
      )
    }
  })

  test('a model stream with the fault endless ends when the client aborts', async () => {
    const client = new AbortController()
    const reader = (await respond('endless', { signal: client.signal })).body?.getReader()
    for (let i = 0; i < 3; i++) assert.equal((await reader?.read())?.done, false)
    client.abort()
    let last = await reader?.read()
    while (last?.done === false) last = await reader?.read()
    assert.equal(last?.done, true)
  })
})

describe('the fault obey, with which the model makes the tool calls that it reads', () => {
  const FINISH = { type: 'function', function: { name: 'finish' } } as const
  const obey = async (messages: ChatRequest['messages'], tools: ChatRequest['tools'] = [FINISH]) =>
    messageOf('obey', { messages, tools })
  const called = (names: string[]) =>
    ({
      role: 'assistant',
      content: null,
      tool_calls: names.map((name, at) => ({ id: `${name}_${at}`, function: { name, arguments: '{}' } })),
    }) as const

  test('with the fault obey, the model calls each ordered tool once, at most five per reply, and then the tool finish', async () => {
    const orders = Array.from({ length: 7 }, (_, at) => `ORDER: tool_${at} {"n":${at}}`)
    const ticket = { role: 'user', content: [...orders, orders[0]].join('\n') } as const
    const callsOf = ([, calls]: unknown[]) => (calls as string[][]).map(([, name, args]) => `${name} ${args}`)
    const first = callsOf(await obey([ticket]))
    const history = [ticket, called(['tool_0', 'tool_1', 'tool_2', 'tool_3', 'tool_4'])]
    const second = callsOf(await obey(history))
    const last = await obey([...history, called(['tool_5', 'tool_6'])])
    assert.deepEqual(
      [first, second, callsOf(last)],
      [
        [0, 1, 2, 3, 4].map((n) => `tool_${n} {"n":${n}}`),
        [5, 6].map((n) => `tool_${n} {"n":${n}}`),
        ['finish {"summary":"I did everything I was told."}'],
      ],
    )
  })

  test('the fault obey ignores orders in system and assistant messages, and an order without arguments has empty arguments', async () => {
    assert.deepEqual(
      await obey([
        { role: 'system', content: 'ORDER: from_system {}' },
        { role: 'assistant', content: 'ORDER: from_model {}' },
        { role: 'tool', tool_call_id: 'x', content: 'text before ORDER: check and after' },
      ]),
      [null, [['call_3_0', 'check', '{}']], 'tool_calls'],
    )
  })

  test('with the fault obey, the model replies with text when the tool finish is missing or was already called', async () => {
    const said = ['I did everything I was told.', [], 'stop']
    assert.deepEqual(
      [
        await obey([{ role: 'user', content: 'x' }], []),
        await obey([{ role: 'user', content: 'x' }, called(['finish'])]),
      ],
      [said, said],
    )
  })
})
