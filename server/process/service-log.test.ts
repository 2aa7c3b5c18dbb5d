import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { APICallError } from 'ai'
import { ApiError } from '../http/errors.ts'
import { openLog } from './service-log.ts'

function logError(err: unknown): { line: string; err: unknown } {
  const lines: string[] = []
  openLog('info', { write: (line) => void lines.push(line) }).error({ err }, 'it failed')
  assert.equal(lines.length, 1)
  return { line: lines[0] ?? '', err: (JSON.parse(lines[0] ?? '{}') as { err: unknown }).err }
}

describe('the service log', () => {
  test("a provider's error is logged as one short line, without the request and the response", () => {
    const refusal = new APICallError({
      message: "This model's maximum context length is 128000 tokens.",
      url: 'https://api.example.com/v1/chat/completions',
      requestBodyValues: { messages: ['the secret plan of a tenant'] },
      statusCode: 400,
      responseBody: 'the secret plan of a tenant'.repeat(100),
    })
    const { line, err } = logError(refusal)
    assert.equal(err, "AI_APICallError: This model's maximum context length is 128000 tokens.")
    assert.doesNotMatch(line, /secret plan/)
  })

  test('a failed build is logged as one short line with its cause', () => {
    const cause = new Error(`Some checks still fail.\n${'at line 1\n'.repeat(100)}`)
    const { err } = logError(new ApiError('model_error', 'The checks stayed red.', { cause }))
    assert.match(String(err), /^ApiError: The checks stayed red\.: Some checks still fail\. at line 1 /)
    assert.ok(String(err).length <= 300)
  })

  test('an unexpected error is logged with its stack', () => {
    const { err } = logError(new TypeError('x is not a function'))
    assert.match((err as { stack: string }).stack, /TypeError: x is not a function\n +at /)
  })
})
