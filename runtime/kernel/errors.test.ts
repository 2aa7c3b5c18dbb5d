import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError, invalid, asResult, toFailure, valueIn } from './errors.ts'

test('the value of an answer is returned', async () => {
  assert.equal(valueIn(await asResult(() => 7)), 7)
})

test('a refusal that was sent as a value is thrown with its code, message, field and pause', async () => {
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
    assert.throws(() => valueIn(answer), isSame)
  }
})
