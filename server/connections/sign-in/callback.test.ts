import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../config.ts'
import { ApiError, type ErrorCode } from '../../http/errors.ts'
import { refusedSignIn } from './callback.ts'

const config = { ...readConfig({}).config, baseUrl: 'https://slipway.test' }

test('a browser that could not complete a sign-in learns whether the person lacks the right, the session ended, or the service failed', () => {
  const reasons: [ErrorCode, string][] = [
    ['unauthorized', 'signed_out'],
    ['forbidden', 'not_allowed'],
    ['two_factor_required', 'not_allowed'],
    ['ip_not_allowed', 'not_allowed'],
    ['rate_limited', 'failed'],
    ['unavailable', 'failed'],
    ['server_error', 'failed'],
  ]
  for (const [code, reason] of reasons) {
    const url = new URL(refusedSignIn({ config }, new ApiError(code, 'x'), 'github'))
    assert.equal(url.origin + url.pathname, 'https://slipway.test/settings/connections')
    assert.deepEqual(Object.fromEntries(url.searchParams), { provider: 'github', error: reason }, code)
  }
})

test('the name of a provider in the address of a callback cannot change the page to which a browser is redirected', () => {
  for (const provider of ['&error=connected', 'x#y', '../../..', 'a b', '🌱'])
    assert.deepEqual(
      Object.fromEntries(
        new URL(refusedSignIn({ config }, new ApiError('unauthorized', 'x'), provider)).searchParams,
      ),
      { provider, error: 'signed_out' },
    )
})
