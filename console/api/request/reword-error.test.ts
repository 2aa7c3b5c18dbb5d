import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { rewordError } from './reword-error.ts'

describe('rewording an API error', () => {
  const refusal = new SlipwayError('Invalid code', {
    code: 'invalid_code',
    status: 401,
    requestId: 'req-1',
    retryAfterMs: 2000,
  })

  test('an API error with a replaced message keeps its code, its status, its request id and its retry delay', () => {
    const said = rewordError(refusal, { invalid_code: 'This code is not right.' })
    assert.ok(said instanceof SlipwayError)
    assert.deepEqual(
      [said.message, said.code, said.status, said.requestId, said.retryAfterMs],
      ['This code is not right.', 'invalid_code', 401, 'req-1', 2000],
    )
  })

  test('an API error without a replacement message, and an exception that is not an API error, are returned unchanged', () => {
    assert.equal(rewordError(refusal, { other: 'Other.' }), refusal)
    const fault = new TypeError('x')
    assert.equal(rewordError(fault, { invalid_code: 'This code is not right.' }), fault)
  })
})
