import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { toApiError } from '../../http/envelope.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { errorOfRefusal } from './call.ts'
import { OutdatedAppError } from './outdated-app.ts'

const refusal = {
  status: 400,
  code: 'invalid_request',
  message: 'name: is required',
  retryAfterSeconds: null,
}

describe('a refusal of a live app to its operator', () => {
  test("a live app's error codes that a caller can act on are returned with the app's message and retry wait", () => {
    for (const code of [
      'invalid_request',
      'not_found',
      'not_enabled',
      'conflict',
      'rate_limited',
      'model_error',
    ]) {
      const error = toApiError(errorOfRefusal({ ...refusal, code, retryAfterSeconds: 7 }))
      assert.deepEqual([error.code, error.message, error.retryAfterSeconds], [code, 'name: is required', 7])
      assert.equal(toApiError(errorOfRefusal({ ...refusal, code })).retryAfterSeconds, undefined)
    }
  })

  test("a busy live app is reported as unavailable and retryable, with the app's retry wait", () => {
    const busy = {
      status: 503,
      code: 'unavailable',
      message: 'The browsers are busy.',
      retryAfterSeconds: 20,
    }
    const error = errorOfRefusal(busy)
    assert.ok(error instanceof CloudflareError && error.retryable)
    const shown = toApiError(error)
    assert.deepEqual(
      [shown.code, shown.message, shown.retryAfterSeconds],
      ['unavailable', 'The browsers are busy.', 20],
    )
    assert.equal(
      toApiError(errorOfRefusal({ ...busy, retryAfterSeconds: null })).retryAfterSeconds,
      undefined,
    )
  })

  test('an error code of a live app about rights, payment or the server is reported to the operator as an upstream error', () => {
    for (const code of ['unauthorized', 'forbidden', 'payment_required', 'server_error', 'constructor', '']) {
      const shown = toApiError(errorOfRefusal({ ...refusal, status: 403, code }))
      assert.equal(shown.code, 'upstream_error', code)
      assert.match(shown.message, /refused its operator: name: is required$/)
    }
  })

  test("a live app's response to an unknown path, but not to a missing record, means that the app must be shipped again", () => {
    const missing = { ...refusal, status: 404, code: 'not_found' }
    assert.ok(errorOfRefusal({ ...missing, message: 'No such address.' }) instanceof OutdatedAppError)
    for (const message of ['No such record.', 'No such address', ''])
      assert.equal(errorOfRefusal({ ...missing, message }) instanceof OutdatedAppError, false, message)
  })
})
