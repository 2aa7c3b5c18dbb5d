import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { ENDPOINTS } from '../tables/endpoints.ts'
import { ApiError, type ErrorCode, STATUS_OF } from './errors.ts'
import { failuresOf } from './openapi.ts'

/** The statuses that clients rely on. Written by hand and not derived from `STATUS_OF`, so that a changed code or status fails a test. */
const PROMISED_STATUSES = {
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  forbidden_scope: 403,
  not_found: 404,
  not_enabled: 404,
  payment_required: 402,
  conflict: 409,
  model_required: 412,
  two_factor_required: 403,
  ip_not_allowed: 403,
  attachments_unsupported: 412,
  rate_limited: 429,
  model_error: 502,
  upstream_error: 502,
  unavailable: 503,
  server_error: 500,
}

describe('error codes', () => {
  test('the error codes and their statuses are exactly the seventeen of the public API', () => {
    assert.deepEqual(STATUS_OF, PROMISED_STATUSES)
    for (const code of Object.keys(PROMISED_STATUSES) as ErrorCode[])
      assert.equal(new ApiError(code, 'x').status, PROMISED_STATUSES[code])
  })

  test('every error code that the source code throws or an endpoint declares is one of the documented codes', () => {
    const folder = new URL('../', import.meta.url)
    const named = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .flatMap((file) => [
        ...readFileSync(new URL(file, folder), 'utf8').matchAll(/new ApiError\(\s*'(\w+)'/g),
      ])
      .map(([, code]) => code ?? '')
    assert.ok(named.length > 40)
    assert.deepEqual(
      [...new Set(named)].filter((code) => !(code in PROMISED_STATUSES)),
      [],
    )
    for (const endpoint of ENDPOINTS)
      for (const code of failuresOf(endpoint))
        assert.ok(code in PROMISED_STATUSES, `${endpoint.route} ${code}`)
  })
})
