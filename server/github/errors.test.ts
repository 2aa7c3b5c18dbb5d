import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toApiError } from '../http/envelope.ts'
import { errorFromResponse, unreachable } from './errors.ts'

const errorOf = (status: number, headers: Record<string, string> = {}, said = '') =>
  errorFromResponse({ status, doing: 'create the repository', said, header: (name) => headers[name] ?? null })

describe('the error for a response of the code host', () => {
  test("every form of the code host's rate limit is retryable and has a wait when the code host says how long to wait", () => {
    for (const [status, headers] of [
      [429, {}],
      [403, { 'x-ratelimit-remaining': '0' }],
      // A secondary rate limit: GitHub counts simultaneous and expensive requests separately.
      [403, { 'x-ratelimit-remaining': '4870' }],
      [403, {}],
    ] as const) {
      const error = errorOf(
        status,
        { ...headers, 'retry-after': '60' },
        'You have exceeded a secondary rate limit.',
      )
      assert.deepEqual([error.retryable, error.retryAfterSeconds], [true, 60], JSON.stringify(headers))
      assert.match(error.message, /^The code host is receiving too many requests/)
      assert.equal(toApiError(error).retryAfterSeconds, 60)
    }
  })

  test('a rate limit of the code host that states no waiting time is not retryable, because it may last an hour', () => {
    for (const error of [errorOf(429), errorOf(403, { 'x-ratelimit-remaining': '0' })])
      assert.deepEqual([error.retryable, error.retryAfterSeconds], [false, null])
  })

  test("a refusal of the code host that is not a rate limit is not retryable and has the host's message", () => {
    const error = errorOf(403, { 'x-ratelimit-remaining': '12' }, ' Resource not accessible by integration ')
    assert.equal(error.retryable, false)
    assert.equal(
      error.message,
      'The code host refused to create the repository: Resource not accessible by integration',
    )
    assert.equal(
      errorOf(422).message,
      'The code host refused to create the repository: It returned status 422.',
    )
  })

  test('a server error or timeout of the code host is retryable, other statuses are not, and a 401 asks to connect again', () => {
    for (const status of [408, 500, 502, 503, 599])
      assert.equal(errorOf(status).retryable, true, String(status))
    assert.equal(errorOf(503, { 'retry-after': '9' }).retryAfterSeconds, 9)
    for (const status of [301, 400, 404, 409, 410, 422, 451])
      assert.equal(errorOf(status).retryable, false, String(status))
    const refused = errorOf(401, {}, 'Bad credentials')
    assert.match(refused.message, /Connect it again under Connections\.$/)
    assert.equal(refused.retryable, false)
    assert.equal(unreachable(new Error('reset')).retryable, true)
  })

  test('a long error page of the code host is shortened', () => {
    assert.ok(errorOf(502, {}, '<html>'.repeat(900)).message.length < 280)
  })
})
