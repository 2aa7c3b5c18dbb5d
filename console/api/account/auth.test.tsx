import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { queryClient } from '../request/query-client.ts'
import { Refusal, sent, serve } from '../../testing/console.tsx'
import {
  accountQuery,
  changePassword,
  disableTwoFactor,
  enableTwoFactor,
  hasPasswordQuery,
  verifyTotp,
  visitorQuery,
} from './auth.ts'

const SESSION = 'GET /api/auth/get-session'
const ADA = { user: { id: 'usr_ada', email: 'ada@example.test' }, session: { token: 't' } }

const readAccount = () => queryClient.fetchQuery({ ...accountQuery(), retry: false })
const readVisitor = () => queryClient.fetchQuery({ ...visitorQuery(), retry: false })
const describeError = (error: unknown) =>
  error instanceof SlipwayError ? [error.code, error.status] : ['no error of the service', error]
const codeOf = (work: Promise<unknown>) => work.then(() => ['done'], describeError)
/** A response whose connection is lost in the middle of its body. */
const cutOff = () =>
  new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"user":'))
        controller.error(new TypeError('The connection was lost.'))
      },
    }),
    { headers: { 'Content-Type': 'application/json' } },
  )
const page = () =>
  new Response('<html>Sign in to the hotel’s network</html>', { headers: { 'Content-Type': 'text/html' } })

describe('the session of this browser', () => {
  test('the session is requested with the cookie cache disabled, so that the service reads it from the database', async () => {
    const calls = serve({ [SESSION]: () => ADA })
    assert.deepEqual(await readAccount(), ADA)
    assert.deepEqual(
      calls[SESSION]?.map(({ query }) => query),
      [{ disableCookieCache: 'true' }],
    )
  })

  test('without a session the optional user query returns null, and the required user query fails with “unauthorized”', async () => {
    serve({ [SESSION]: () => null })
    assert.equal(await readVisitor(), null)
    assert.deepEqual(await codeOf(readAccount()), ['unauthorized', 401])
  })

  test('a session request fails, and does not count as signed out, when the response is lost or is not JSON', async () => {
    serve({ [SESSION]: cutOff })
    assert.deepEqual(await codeOf(readVisitor()), ['connection', 0])
    assert.deepEqual(await codeOf(readAccount()), ['connection', 0])
    serve({ [SESSION]: page })
    assert.deepEqual(await codeOf(readVisitor()), ['unexpected_response', 200])
    assert.deepEqual(await codeOf(readAccount()), ['unexpected_response', 200])
  })

  test('a sign-in API request returns null when the successful response has no body', async () => {
    serve({ 'POST /api/auth/two-factor/verify-totp': () => new Response(null, { status: 200 }) })
    assert.equal(await verifyTotp({ code: '123456' }), null)
  })
})

describe('the password and the second factor of an account', () => {
  test('an account has a password when one of its ways to sign in is a password', async () => {
    const read = async (...providers: string[]) => {
      serve({ 'GET /api/auth/list-accounts': () => providers.map((providerId) => ({ providerId })) })
      queryClient.clear()
      return queryClient.fetchQuery(hasPasswordQuery())
    }
    assert.deepEqual(
      [await read('credential'), await read('google', 'credential'), await read('okta'), await read()],
      [true, true, false, false],
    )
  })

  test('a password change asks the service to revoke the other sessions', async () => {
    const key = 'POST /api/auth/change-password'
    const calls = serve({ [key]: () => ({}) })
    await changePassword({ currentPassword: 'old', newPassword: 'new' })
    assert.deepEqual(sent(calls, key), [
      { currentPassword: 'old', newPassword: 'new', revokeOtherSessions: true },
    ])
  })

  test('a change of the second factor sends a password only when the caller passes one', async () => {
    const [on, off] = ['POST /api/auth/two-factor/enable', 'POST /api/auth/two-factor/disable']
    const calls = serve({ [on]: () => ({}), [off]: () => ({}) })
    await enableTwoFactor()
    await enableTwoFactor('')
    await disableTwoFactor('secret')
    assert.deepEqual([sent(calls, on), sent(calls, off)], [[{}, { password: '' }], [{ password: 'secret' }]])
  })

  test("an error of the sign-in library is shown in the console's own words, but a rate limit in the words of the service", async () => {
    const errors = [
      new Response('{"code":"INVALID_CODE","message":"Invalid code"}', { status: 401 }),
      new Refusal(429, 'rate_limited', 'Too many attempts.', 30),
      new Response('<html>Bad gateway</html>', { status: 502 }),
    ]
    serve({ 'POST /api/auth/two-factor/verify-totp': () => errors.shift() })
    const fail = () => verifyTotp({ code: '000000' }).catch((thrown: unknown) => thrown as SlipwayError)
    const thrown = [await fail(), await fail(), await fail()] as SlipwayError[]
    assert.deepEqual(
      thrown.map(({ code, status, retryAfterMs }) => [code, status, retryAfterMs]),
      [
        ['invalid_code', 401, null],
        ['rate_limited', 429, 30_000],
        ['unexpected_response', 502, null],
      ],
    )
    assert.notEqual(thrown[0]?.message, 'Invalid code')
    assert.equal(thrown[1]?.message, 'Too many attempts.')
  })
})
