import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError } from 'ai'
import { OutboundError } from '../../lib/outbound.ts'
import { ModelFailure, toModelFailure } from './failure.ts'

const response = (status: number | undefined, message: string, more: Partial<APICallError> = {}) =>
  new APICallError({
    message,
    url: 'https://models.example/v1',
    requestBodyValues: {},
    ...(status !== undefined && { statusCode: status }),
    ...(more.responseBody !== undefined && { responseBody: more.responseBody }),
    ...(more.responseHeaders !== undefined && { responseHeaders: more.responseHeaders }),
  })

describe('the failure of a model call', () => {
  test("a prompt that does not fit the model's window is recognized by each provider's error message", () => {
    const refusals: [provider: string, status: number, message: string, body?: string][] = [
      ['Anthropic', 400, 'prompt is too long: 210000 tokens > 200000 maximum'],
      [
        'Anthropic, with the room for the answer',
        400,
        'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000, decrease input length or `max_tokens` and try again',
      ],
      ['OpenAI', 400, 'Your input exceeds the limit.', '{"error":{"code":"context_length_exceeded"}}'],
      ['OpenRouter', 400, "This endpoint's maximum context length is 131072 tokens."],
      [
        'Google',
        400,
        'The input token count (1200293) exceeds the maximum number of tokens allowed (1048576).',
      ],
      ['xAI', 400, "This model's maximum prompt length is 131072 but the request contains 136973 tokens."],
      ['DeepSeek', 400, "This model's maximum context length is 65536 tokens."],
      [
        'Workers AI',
        413,
        'The estimated number of input and maximum output tokens (30000) exceeded this model context window limit (24000).',
      ],
      ['llama.cpp', 400, 'the request exceeds the available context size, try increasing it'],
      ['llama.cpp, older', 500, 'Internal Server Error', '{"error":{"type":"exceed_context_size_error"}}'],
      ['Mistral', 400, 'Prompt contains 40000 tokens, too large for model with 32768 maximum context length'],
    ]
    for (const [provider, status, message, responseBody] of refusals) {
      const failure = toModelFailure(
        response(status, message, responseBody === undefined ? {} : { responseBody }),
      )
      assert.deepEqual(
        [failure.isContextLength, failure.kind, failure.isRetryable],
        [true, 'context_limit', false],
        provider,
      )
    }
  })

  test("an error in the middle of a stream is also recognized as a prompt that does not fit the model's window", () => {
    for (const error of [
      { type: 'exceed_context_size_error', message: 'the request exceeds the available context size' },
      new Error('The input token count (9) exceeds the maximum number of tokens allowed (8).'),
      response(200, 'context_length_exceeded', { responseHeaders: { 'content-type': 'text/event-stream' } }),
    ])
      assert.equal(toModelFailure(error).isContextLength, true)
  })

  test('refusals of a model provider for any other reason are not treated as a prompt that is too long', () => {
    for (const message of [
      'max_tokens: 70000 > 64000, which is the maximum allowed number of output tokens',
      'You exceeded your current quota, please check your plan and billing details.',
      'tools: maximum number of tools is 128',
      'Invalid value for context',
      'rate limit reached',
    ]) {
      const failure = toModelFailure(response(400, message))
      assert.deepEqual([failure.isContextLength, failure.kind], [false, 'model_error'], message)
    }
    assert.equal(toModelFailure(response(429, 'Too many tokens per minute')).kind, 'rate_limited')
    assert.equal(toModelFailure(response(401, 'maximum context length')).isContextLength, false)
  })

  test("only temporary failures of a model call are retryable, with the provider's retry wait", () => {
    const wait = { responseHeaders: { 'retry-after': '7' } }
    const cases: [number | undefined, boolean, number | null][] = [
      [undefined, true, null],
      [400, false, 7],
      [401, false, null],
      [403, false, null],
      [404, false, 7],
      [408, true, 7],
      [422, false, 7],
      [429, true, 7],
      [500, true, 7],
      [503, true, 7],
      [529, true, 7],
    ]
    for (const [status, isRetryable, seconds] of cases) {
      const failure = toModelFailure(response(status, 'x', wait))
      assert.deepEqual(
        [failure.isRetryable, failure.retryAfterSeconds],
        [isRetryable, seconds],
        String(status),
      )
    }
  })

  test('a failed model call has a short message without network addresses, whatever was thrown', () => {
    const errors: [unknown, RegExp][] = [
      [new TypeError('connect ECONNREFUSED 10.0.0.7:11434'), /was cut off: connect ECONNREFUSED$/],
      [
        new Error(
          'Connect Timeout Error (attempted addresses: 10.0.0.7:443, 10.0.0.8:443, timeout: 10000ms)',
        ),
        /was cut off: Connect Timeout Error$/,
      ],
      ['just text', /was cut off: just text$/],
      [{ message: 7 }, /was cut off: \{"message":7\}$/],
      [undefined, /was cut off: no reason given$/],
      [Object.assign(new Error('x'), { name: 'TimeoutError' }), /did not respond in time/],
      [new Error('y'.repeat(2000)), /^.{0,450}$/],
    ]
    for (const [error, message] of errors) {
      const failure = toModelFailure(error)
      assert.match(failure.message, message)
      assert.equal(failure.isRetryable, true)
    }
  })

  test('an error message of a megabyte from a model provider becomes a short message within a second', () => {
    const begun = performance.now()
    const failure = toModelFailure(response(400, '(attempted addresses: '.repeat(50_000)))
    assert.ok(failure.message.length < 500, String(failure.message.length))
    assert.ok(performance.now() - begun < 1000, `${performance.now() - begun} ms`)
  })

  test('a refused model address is a permanent failure, and an existing or wrapped model failure keeps its message', () => {
    const refused = toModelFailure(new OutboundError('ollama.local is not public'))
    assert.deepEqual([refused.isRetryable, refused.message], [false, 'ollama.local is not public'])
    const known = new ModelFailure('x', { kind: 'rate_limited' })
    assert.equal(toModelFailure(known), known)
    const inner = toModelFailure(new Error('outer', { cause: response(401, 'bad key') }))
    assert.equal(inner.message, 'The model provider refused the key (401): bad key')
  })
})
