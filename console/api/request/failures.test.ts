import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConnectionError, SlipwayError } from '@slipway/sdk/errors.ts'
import { describeFailure } from './failures.ts'

test("an invalid_request error whose message begins with a field's path is shown at that field", () => {
  const error = new SlipwayError('slug: must not end in -preview', {
    code: 'invalid_request',
    status: 400,
    requestId: 'req-1',
  })
  const failure = describeFailure(error)
  assert.deepEqual(
    [failure.field, failure.sentence, failure.requestId],
    ['slug', 'Must not end in -preview.', 'req-1'],
  )
})

test('an error with another code than invalid_request names no field, even with a colon in its message', () => {
  const failure = describeFailure(new SlipwayError('queue: full', { code: 'conflict', status: 409 }))
  assert.deepEqual([failure.field, failure.sentence, failure.retryable], [null, 'queue: full', false])
})

test('the message of a model provider is shown as a detail, not in the sentence that the console writes about the error', () => {
  const error = new SlipwayError('overloaded: try again', {
    code: 'model_error',
    status: 502,
    method: 'POST',
  })
  const failure = describeFailure(error)
  assert.deepEqual([failure.detail, failure.retryable], ['overloaded: try again', true])
  assert.doesNotMatch(failure.sentence, /overloaded/)
})

test('a request that got no response is described as “did not respond” and can be retried', () => {
  const failure = describeFailure(new ConnectionError('fetch failed'))
  assert.match(failure.sentence, /did not respond/)
  assert.equal(failure.retryable, true)
})

test('an exception of the console itself is described without internal details', () => {
  const failure = describeFailure(new TypeError('x is undefined'))
  assert.doesNotMatch(failure.sentence, /undefined/)
  assert.equal(failure.retryable, false)
})
