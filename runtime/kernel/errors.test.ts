import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, invalid, refusalAsValue, unwrap } from './errors.ts'

test('unwrapping an answer returns its value', async () => {
  assert.equal(await unwrap(refusalAsValue(() => 7)), 7)
})

test('a refusal that was sent as a value is thrown with its code, message, field and pause', async () => {
  const refusals = [
    invalid('name', 'must not be empty'),
    new ApiError('rate_limited', 'Too many attempts.', { retryAfterSeconds: 60 }),
  ]
  for (const refusal of refusals) {
    const answer = unwrap(
      refusalAsValue(() => {
        throw refusal
      }),
    )
    await assert.rejects(answer, (error) => {
      assert.ok(error instanceof ApiError && error !== refusal)
      assert.deepEqual({ ...error, message: error.message }, { ...refusal, message: refusal.message })
      return true
    })
  }
})
