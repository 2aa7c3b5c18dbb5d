import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, errorText, invalid, asResult, toFailure, unwrapResult } from './errors.ts'

test('unwrapping a successful result returns its value', async () => {
  assert.equal(unwrapResult(await asResult(() => 7)), 7)
})

test('unwrapping a failed result throws its code, message, field and retry delay', async () => {
  const refusals = [
    invalid('name', 'must not be empty'),
    new ApiError('rate_limited', 'Too many attempts.', { retryAfterSeconds: 60 }),
  ]
  for (const refusal of refusals) {
    const answer = await asResult(() => {
      throw refusal
    })
    const isSame = (error: unknown) => {
      assert.ok(error instanceof ApiError && error !== refusal)
      assert.deepEqual(toFailure(error), toFailure(refusal))
      return true
    }
    assert.throws(() => unwrapResult(answer), isSame)
  }
})

test('every value that code can throw has a text, also an object without a prototype', () => {
  const thrown = [new Error('late'), 'late', 7, null, undefined, Object.create(null)]
  assert.deepEqual(thrown.map(errorText), ['late', 'late', '7', 'null', 'undefined', '[object]'])
})
