import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { tool } from 'ai'
import { MockLanguageModelV4, simulateReadableStream } from 'ai/test'
import * as z from 'zod'
import { type Delta, type ModelRequest, callModel } from './call.ts'
import { ModelFailure } from './failure.ts'

const usage = {
  inputTokens: { total: 10, noCache: 6, cacheRead: 4, cacheWrite: undefined },
  outputTokens: { total: 3, text: 3, reasoning: undefined },
}
const finish = (unified: 'stop' | 'tool-calls' | 'length' | 'other') =>
  ({ type: 'finish', finishReason: { unified, raw: unified }, usage }) as const
const call = (input: string, toolName = 'read_file', toolCallId = 'c1') =>
  ({ type: 'tool-call', toolCallId, toolName, input }) as const
const say = (text: string): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: text },
  { type: 'text-end', id: 't' },
]

function answering(
  parts: LanguageModelV4StreamPart[],
  options: { signal?: AbortSignal; deltas?: Delta[] } = {},
) {
  const model = new MockLanguageModelV4({
    doStream: async () => ({
      stream: simulateReadableStream({
        chunks: [{ type: 'stream-start', warnings: [] }, ...parts],
        initialDelayInMs: null,
        chunkDelayInMs: null,
      }),
    }),
  })
  return ask(model, options)
}

function ask(
  model: MockLanguageModelV4,
  options: { signal?: AbortSignal; deltas?: Delta[]; timeouts?: ModelRequest['timeouts'] } = {},
) {
  return callModel({
    model,
    timeouts: options.timeouts,
    instructions: 'be brief',
    messages: [{ role: 'user', content: 'hello' }],
    tools: { read_file: tool({ inputSchema: z.object({ path: z.string() }) }) },
    toolOrder: ['read_file'],
    toolChoice: 'auto',
    maxOutputTokens: undefined,
    providerOptions: undefined,
    signal: options.signal ?? new AbortController().signal,
    onDelta: (delta) => options.deltas?.push(delta),
  })
}

async function failureOf(answer: Promise<unknown>): Promise<ModelFailure> {
  try {
    await answer
  } catch (error) {
    assert.ok(error instanceof ModelFailure, String(error))
    return error
  }
  return assert.fail('it should have failed')
}

test('a model call returns the tool call of the response with its arguments, finish reason and token usage', async () => {
  const answer = await answering([call('{"path":"app.json"}'), finish('tool-calls')])
  assert.equal(answer.finishReason, 'tool-calls')
  assert.deepEqual(answer.calls, [{ id: 'c1', name: 'read_file', args: { path: 'app.json' }, problem: null }])
  assert.deepEqual(answer.usage, {
    input: 10,
    output: 3,
    reasoning: 0,
    cacheRead: 4,
    cacheWrite: 0,
    estimated: false,
  })
})

test('the text of a model response is delivered as a stream and also as a whole at the end', async () => {
  const deltas: Delta[] = []
  const answer = await answering([...say('hi there'), finish('stop')], { deltas })
  assert.equal(answer.text, 'hi there')
  assert.deepEqual(deltas, [{ text: 'hi there' }])
})

test("a tool call with malformed JSON arguments gets an invalid_arguments error and stays in the model's message", async () => {
  const answer = await answering([call('{"path": "a'), finish('tool-calls')])
  assert.equal(answer.calls[0]?.problem?.code, 'invalid_arguments')
  assert.match(answer.calls[0]?.problem?.message ?? '', /not valid JSON/)
  assert.equal(answer.message.role, 'assistant')
  assert.match(JSON.stringify(answer.message.content), /"toolCallId":"c1"/)
})

test('tool arguments of the wrong type return an error that names the argument', async () => {
  const answer = await answering([call('{"path": 5}'), finish('tool-calls')])
  assert.match(answer.calls[0]?.problem?.message ?? '', /^path: /)
})

test('a call to an unknown tool returns an error instead of throwing', async () => {
  const answer = await answering([call('{}', 'rm_rf'), finish('tool-calls')])
  assert.deepEqual(answer.calls[0]?.problem, {
    code: 'unknown_tool',
    message: 'there is no tool named rm_rf',
  })
})

test('a tool call cut off by the output limit returns advice to write smaller files', async () => {
  const answer = await answering([call('{"path": "a'), finish('length')])
  assert.match(answer.calls[0]?.problem?.message ?? '', /smaller files/)
})

test("NUL and lone surrogates of a model's response are not stored, and a character split over two stream parts is joined", async () => {
  const deltas: Delta[] = []
  const pieces = ['a\0b \ud83d', '\ude00 \udfff c', ' \ud83d']
  const answer = await answering(
    [
      { type: 'text-start', id: 't' },
      ...pieces.map((delta) => ({ type: 'text-delta' as const, id: 't', delta })),
      { type: 'text-end', id: 't' },
      call('{"path":"a\ud800"}', 'read_file', 'c\u0000\ud800'),
      finish('tool-calls'),
    ],
    { deltas },
  )
  assert.equal(answer.text, 'ab 😀 \ufffd c ')
  assert.equal(deltas.map(({ text = '' }) => text).join(''), answer.text)
  assert.deepEqual(answer.calls, [{ id: '', name: 'read_file', args: { path: 'a\ufffd' }, problem: null }])
  const stored = JSON.stringify([answer.message.content, answer.calls])
  assert.doesNotMatch(stored.replace(/"toolCallId":"[^"]*"/, ''), /\\u0000|\\ud[89a-f]/i)
})

test('tool arguments that contain NUL or are nested too deeply are refused by name and not stored', async () => {
  const problemOf = async (input: string) => {
    const { calls, message } = await answering([call(input), finish('tool-calls')])
    assert.doesNotMatch(JSON.stringify([calls, message]), /\\u0000/)
    return `${calls[0]?.problem?.code}: ${calls[0]?.problem?.message}`
  }
  const nul = String.raw`"a\u0000b"`
  assert.equal(await problemOf(`{"path":${nul}}`), 'invalid_arguments: path: must not contain NUL (U+0000)')
  const nested = (depth: number) => `{"path":${'['.repeat(depth)}${']'.repeat(depth)}}`
  for (const depth of [40, 1_000]) assert.match(await problemOf(nested(depth)), /^invalid_arguments: path: /)
  // The arguments are nested so deeply that the SDK itself throws. This error is a retried failure of the model and not
  // a failure of the service.
  const failure = await failureOf(answering([call(nested(100_000)), finish('tool-calls')]))
  assert.equal(failure.kind, 'model_error')
})

test('an overlong tool name is cut and an overlong tool call id is dropped before the call is stored', async () => {
  const long = 'x'.repeat(100_000)
  const answer = await answering([call('{}', long, long), finish('tool-calls')])
  assert.deepEqual([answer.calls[0]?.id, answer.calls[0]?.name.length], ['', 64])
  assert.equal(answer.calls[0]?.problem?.code, 'unknown_tool')
})

const impossible = [-1, -1e308, 1e308, 1.5, Number.NaN, Number.POSITIVE_INFINITY]
for (const tokens of impossible) {
  test(`a provider's impossible count of ${tokens} tokens is replaced by an estimate, or by 0 for cached tokens`, async () => {
    const stated = (input: number, output: number, cacheRead = 0) => ({
      type: 'finish' as const,
      finishReason: { unified: 'stop' as const, raw: 'stop' },
      usage: {
        inputTokens: { total: input, noCache: undefined, cacheRead, cacheWrite: undefined },
        outputTokens: { total: output, text: undefined, reasoning: undefined },
      },
    })
    for (const end of [stated(tokens, 5), stated(5, tokens), stated(tokens, tokens)]) {
      const { usage: cost } = await answering([...say('hi'), end])
      assert.equal(cost.estimated, true)
      assert.ok(Number.isInteger(cost.input) && cost.input > 0 && cost.output === 1, JSON.stringify(cost))
    }
    const { usage: cost } = await answering([...say('hi'), stated(10, 5, tokens)])
    assert.deepEqual([cost.input, cost.output, cost.cacheRead, cost.estimated], [10, 5, 0, false])
  })
}

test('cached tokens are counted only up to the number of input tokens, so that no call has a negative cost', async () => {
  const end = finish('stop')
  const usageOf = { ...usage, inputTokens: { ...usage.inputTokens, total: 10, cacheRead: 5_000_000 } }
  const answer = await answering([...say('hi'), { ...end, usage: usageOf }])
  assert.deepEqual([answer.usage.input, answer.usage.cacheRead], [10, 10])
})

test('a model response with more than 500 tool calls fails before its end is read', async () => {
  let read = 0
  const many = function* (): Generator<LanguageModelV4StreamPart> {
    for (read = 0; read < 100_000; read++) {
      yield { type: 'tool-input-start', id: `c${read}`, toolName: 'read_file' }
      yield { type: 'tool-input-end', id: `c${read}` }
    }
  }
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: ReadableStream.from<LanguageModelV4StreamPart>(many()) }),
  })
  const failure = await failureOf(ask(model))
  assert.match(failure.message, /more than 500 tool calls/)
  assert.equal(failure.isRetryable, false)
  assert.ok(read < 1_000, `${read} calls were read`)
})

test('an error in the middle of a streamed response fails the model call even if text came before the error', async () => {
  const failure = await failureOf(answering([...say('half'), { type: 'error', error: new Error('engine') }]))
  assert.equal(failure.isRetryable, true)
})

test('a response that breaks off, ends for an unknown reason or is empty is a retryable failure', async () => {
  assert.equal((await failureOf(answering(say('half')))).isRetryable, true)
  assert.equal((await failureOf(answering([...say('half'), finish('other')]))).isRetryable, true)
  assert.match((await failureOf(answering([finish('stop')]))).message, /empty response/)
})

test('a response that reaches the output limit before any text or tool call fails with an error that names the limit, and may be retried', async () => {
  const failure = await failureOf(answering([finish('length')]))
  assert.match(failure.message, /reached its output limit before it wrote text or called a tool/)
  assert.equal(failure.isRetryable, true)
})

test('a provider that accepts the call but sends nothing times out', async () => {
  const silent = new MockLanguageModelV4({
    doStream: ({ abortSignal }) =>
      new Promise((_resolve, reject) =>
        abortSignal?.addEventListener('abort', () => reject(abortSignal.reason)),
      ),
  })
  const failure = await failureOf(ask(silent, { timeouts: { firstPartMs: 30 } }))
  assert.match(failure.message, /did not start to respond in time/)
  assert.equal(failure.isRetryable, true)
})

test('a provider that stops sending in the middle of a response times out', async () => {
  const stalled = new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          controller.enqueue({ type: 'stream-start', warnings: [] })
          for (const part of say('half')) controller.enqueue(part)
        },
      }),
    }),
  })
  const failure = await failureOf(ask(stalled, { timeouts: { chunkMs: 30 } }))
  assert.match(failure.message, /in time/)
  assert.equal(failure.isRetryable, true)
})

test('a response may take any time while parts of it keep arriving', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const pieces = Array.from({ length: 1_200 }, () => 'word ')
  let sent = -1
  const slow = new MockLanguageModelV4({
    doStream: async () => ({
      stream: new ReadableStream<LanguageModelV4StreamPart>(
        {
          pull(controller) {
            // The stream takes twenty minutes in total, with one second between two pieces.
            t.mock.timers.tick(1_000)
            if (sent === -1) controller.enqueue({ type: 'text-start', id: 't' })
            else if (sent < pieces.length)
              controller.enqueue({ type: 'text-delta', id: 't', delta: pieces[sent] ?? '' })
            else {
              controller.enqueue({ type: 'text-end', id: 't' })
              controller.enqueue(finish('stop'))
              controller.close()
            }
            sent++
          },
        },
        { highWaterMark: 0 },
      ),
    }),
  })
  assert.equal((await ask(slow)).text, pieces.join(''))
})

test('a cancelled call throws the reason of the cancellation, not a model failure', async () => {
  const controller = new AbortController()
  controller.abort(new Error('cancelled by the user'))
  await assert.rejects(answering(say('x'), { signal: controller.signal }), /cancelled by the user/)
})

test('the AI SDK and all its providers resolve version 5 of provider-utils', async () => {
  const { readFileSync } = await import('node:fs')
  const { createRequire } = await import('node:module')
  for (const name of [
    'ai',
    '@ai-sdk/anthropic',
    '@ai-sdk/openai',
    '@ai-sdk/google',
    '@ai-sdk/openai-compatible',
  ]) {
    const require = createRequire(import.meta.resolve(name))
    const found = require.resolve('@ai-sdk/provider-utils/package.json')
    const { version } = JSON.parse(readFileSync(found, 'utf8')) as { version: string }
    assert.match(version, /^5\./, name)
  }
})

test('lone surrogates, such as half an emoji at the end of a cut text, are replaced in everything sent to the model', async () => {
  const half = '🚀'.slice(0, 1)
  const bytes = new Uint8Array([0xd8, 0x3d])
  const model = new MockLanguageModelV4({
    doStream: async () => ({ stream: simulateReadableStream({ chunks: [...say('ok'), finish('stop')] }) }),
  })
  await callModel({
    model,
    instructions: `rules ${half}`,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: `cut ${half}` },
          { type: 'file', mediaType: 'image/png', data: bytes },
        ],
      },
      {
        role: 'assistant',
        content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'read_file', input: { path: half } }],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'c1',
            toolName: 'read_file',
            output: { type: 'text', value: `🚀 ${half}` },
          },
        ],
      },
    ],
    tools: {},
    toolOrder: [],
    toolChoice: 'none',
    maxOutputTokens: undefined,
    providerOptions: undefined,
    signal: new AbortController().signal,
    onDelta: () => {},
  })
  const prompt = model.doStreamCalls[0]?.prompt ?? []
  const texts = JSON.stringify(prompt)
  assert.deepEqual(texts.match(/\\ud[89a-f]../gi), null)
  for (const text of ['rules \ufffd', 'cut \ufffd', '"path":"\ufffd"', '🚀 \ufffd'])
    assert.ok(texts.includes(text), text)
  const [, user] = prompt
  const file = user?.role === 'user' ? user.content[1] : undefined
  assert.deepEqual(file?.type === 'file' && file.data, { type: 'data', data: bytes })
})
