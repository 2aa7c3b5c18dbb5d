import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ModelMessage, tool } from 'ai'
import * as z from 'zod'
import { callModel } from './call.ts'
import { modelFacts } from './models.data.ts'
import type { ModelProvider } from '../../db/tables/connections.ts'
import { modelSettings, openModel, withCacheMark } from './models.ts'

/** The second call of a run: the history has one tool call and its result. */
const MESSAGES: ModelMessage[] = [
  { role: 'user', content: 'track my plants' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Looking.' },
      { type: 'tool-call', toolCallId: 'call_1', toolName: 'read_file', input: { path: 'app.json' } },
    ],
  },
  {
    role: 'tool',
    content: [
      {
        type: 'tool-result',
        toolCallId: 'call_1',
        toolName: 'read_file',
        output: { type: 'text', value: '{}' },
      },
    ],
  },
]

const sse = (events: (object | string)[], named = false) =>
  events
    .map((event) => {
      const name =
        named && typeof event === 'object' && 'type' in event ? `event: ${String(event.type)}\n` : ''
      return `${name}data: ${typeof event === 'string' ? event : JSON.stringify(event)}\n\n`
    })
    .join('')

/** The same response in each provider's own stream format: a call of read_file. */
const STREAMS: Record<Exclude<ModelProvider, 'scaffold' | 'workers-ai'>, string> = {
  'openai-compatible': sse([
    { choices: [{ index: 0, delta: { role: 'assistant', content: '' }, finish_reason: null }] },
    {
      choices: [
        {
          index: 0,
          delta: {
            tool_calls: [
              {
                index: 0,
                id: 'c9',
                type: 'function',
                function: { name: 'read_file', arguments: '{"path":"web/App.tsx"}' },
              },
            ],
          },
          finish_reason: null,
        },
      ],
    },
    { choices: [{ index: 0, delta: {}, finish_reason: 'tool_calls' }] },
    { choices: [], usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 } },
    '[DONE]',
  ]),
  anthropic: sse(
    [
      {
        type: 'message_start',
        message: {
          id: 'm',
          type: 'message',
          role: 'assistant',
          model: 'claude',
          content: [],
          stop_reason: null,
          usage: {
            input_tokens: 12,
            output_tokens: 1,
            cache_read_input_tokens: 8,
            cache_creation_input_tokens: 0,
          },
        },
      },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'c9', name: 'read_file', input: {} },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"path":"web/App.tsx"}' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 5 } },
      { type: 'message_stop' },
    ],
    true,
  ),
  openai: sse([
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'gpt', service_tier: null } },
    {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'function_call', id: 'fc', call_id: 'c9', name: 'read_file', arguments: '' },
    },
    {
      type: 'response.output_item.done',
      output_index: 0,
      item: {
        type: 'function_call',
        id: 'fc',
        call_id: 'c9',
        name: 'read_file',
        arguments: '{"path":"web/App.tsx"}',
        status: 'completed',
      },
    },
    {
      type: 'response.completed',
      response: { incomplete_details: null, usage: { input_tokens: 20, output_tokens: 5 } },
    },
  ]),
  google: sse([
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ functionCall: { name: 'read_file', args: { path: 'web/App.tsx' } } }],
          },
          finishReason: 'STOP',
        },
      ],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 5, totalTokenCount: 25 },
    },
  ]),
}

async function ask(provider: Exclude<ModelProvider, 'scaffold' | 'workers-ai'>, modelId: string) {
  let sent: { url: string; headers: Headers; body: Record<string, unknown> } | undefined
  const fetch = async (url: string | URL | Request, init?: RequestInit) => {
    const body = JSON.parse(String(init?.body)) as Record<string, unknown>
    sent = { url: String(url), headers: new Headers(init?.headers), body }
    return new Response(STREAMS[provider], { headers: { 'content-type': 'text/event-stream' } })
  }
  const connection = { provider, baseUrl: 'https://models.example/v1', key: 'k-123' }
  const settings = modelSettings(provider, modelId, 'prj_1')
  const answer = await callModel({
    model: openModel(connection, modelId, fetch),
    instructions: withCacheMark({ role: 'system', content: 'be brief' }, settings.cacheMark),
    messages: MESSAGES.map((message) => withCacheMark(message, settings.cacheMark)),
    tools: { read_file: tool({ inputSchema: z.object({ path: z.string(), from: z.int().optional() }) }) },
    toolOrder: ['read_file'],
    toolChoice: 'auto',
    maxOutputTokens: settings.maxOutputTokens,
    providerOptions: settings.providerOptions,
    signal: new AbortController().signal,
    onDelta: () => undefined,
  })
  assert.ok(sent)
  return { answer, sent }
}

const CALLS: [Exclude<ModelProvider, 'scaffold' | 'workers-ai'>, string, string][] = [
  ['openai-compatible', 'some-model', 'https://models.example/v1/chat/completions'],
  ['anthropic', 'claude-sonnet-4-5', 'https://models.example/v1/messages'],
  ['openai', 'gpt-5', 'https://models.example/v1/responses'],
  [
    'google',
    'gemini-2.5-pro',
    'https://models.example/v1/models/gemini-2.5-pro:streamGenerateContent?alt=sse',
  ],
]

for (const [provider, modelId, url] of CALLS) {
  test(`${provider}: a model call uses the URL and format of the provider and returns the tool call`, async () => {
    const { answer, sent } = await ask(provider, modelId)
    assert.equal(sent.url, url)
    assert.match(JSON.stringify([...sent.headers]), /k-123/)
    assert.match(JSON.stringify(sent.body), /track my plants/)
    assert.ok(!('temperature' in sent.body), 'the temperature is the model’s own')
    assert.equal(answer.calls.length, 1)
    assert.deepEqual(answer.calls[0]?.args, { path: 'web/App.tsx' })
    assert.equal(answer.calls[0]?.problem, null)
    assert.deepEqual([answer.usage.input, answer.usage.output], [20, 5])
  })
}

test('anthropic: a request states the output limit and marks the instructions and messages for the prompt cache', async () => {
  const { sent, answer } = await ask('anthropic', 'claude-sonnet-4-5')
  assert.equal(sent.body['max_tokens'], 32_000)
  for (const part of ['system', 'messages']) {
    assert.match(JSON.stringify(sent.body[part]), /"cache_control":\{"type":"ephemeral"\}/, part)
  }
  assert.equal(answer.usage.cacheRead, 8)
})

test('openai: a request tells the provider to store nothing and has the project id as its prompt cache key', async () => {
  const { sent } = await ask('openai', 'gpt-5')
  assert.equal(sent.body['store'], false)
  assert.equal(sent.body['prompt_cache_key'], 'prj_1')
  assert.deepEqual(sent.body['include'], ['reasoning.encrypted_content'])
})

test('openai-compatible: a request asks the provider for token usage in the stream', async () => {
  const { sent } = await ask('openai-compatible', 'some-model')
  assert.deepEqual(sent.body['stream_options'], { include_usage: true })
})

test('an unknown model gets a context window of 128,000 tokens', () => {
  assert.equal(modelFacts('acme/whatever-7b').windowTokens, 128_000)
  assert.equal(modelFacts('anthropic/claude-sonnet-4-5').windowTokens, 200_000)
})
