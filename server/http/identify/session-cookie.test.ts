import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { describe, test } from 'node:test'
import { sessionCookies, withOneSession } from './session-cookie.ts'

const HTTP = 'http://localhost:4000'
const HTTPS = 'https://slipway.test'
const SECRETS = [{ value: 'newest' }, { value: 'older' }]
const signed = (token: string, secret = 'newest') =>
  encodeURIComponent(`${token}.${createHmac('sha256', secret).update(token).digest('base64')}`)
const pair = (token: string, secret?: string) => `slipway.session_token=${signed(token, secret)}`
const tokensOf = (cookies: string | null, baseUrl = HTTP, secrets = SECRETS) =>
  sessionCookies(cookies, baseUrl, secrets).map(({ token }) => token)

describe('the session cookies of a request', () => {
  test('a session cookie with a valid signature is returned as its token and the name=value pair that the browser sent', () => {
    const cookies = `theme=dark;  slipway.session_token = ${signed('t.1')} ; other=x`
    assert.deepEqual(sessionCookies(cookies, HTTP, SECRETS), [
      { token: 't.1', pair: `slipway.session_token = ${signed('t.1')}` },
    ])
  })

  test('of several session cookies the valid ones are returned, the last one sent first', () => {
    assert.deepEqual(tokensOf([pair('a'), pair('b', 'forged'), pair('c')].join('; ')), ['c', 'a'])
  })

  test('over https only session cookies with the prefix __Host- are read, and over http only session cookies without the prefix', () => {
    const both = `__Host-${pair('host')}; ${pair('plain')}`
    assert.deepEqual([tokensOf(both, HTTPS), tokensOf(both, HTTP)], [['host'], ['plain']])
  })

  test('a session cookie signed with an older secret is not accepted, and no cookie is accepted when no secret is configured', () => {
    assert.deepEqual(tokensOf(pair('a', 'older')), [])
    assert.deepEqual(tokensOf(pair('a'), HTTP, []), [])
  })

  test('a session cookie that is malformed, or has no token or no signature, is not accepted', () => {
    const signature = createHmac('sha256', 'newest').update('').digest('base64')
    const values = [
      '',
      'a',
      'a.',
      `.${encodeURIComponent(signature)}`,
      '%',
      '%zz.x',
      signed('a').slice(0, 20),
      `${signed('a')}x.y`,
      'null',
    ]
    for (const value of values) assert.deepEqual(tokensOf(`slipway.session_token=${value}`), [], value)
    for (const cookies of [
      null,
      '',
      ';',
      '=',
      'slipway.session_token',
      'xslipway.session_token=a',
      `Slipway.Session_Token=${signed('a')}`,
    ])
      assert.deepEqual(tokensOf(cookies), [], String(cookies))
  })

  test('a session cookie with the signature of another token is not accepted', () => {
    const signature = decodeURIComponent(signed('a')).slice(2)
    assert.deepEqual(tokensOf(`slipway.session_token=${encodeURIComponent(`b.${signature}`)}`), [])
  })
})

describe('the cookies that are passed on with the chosen session', () => {
  const chosen = { token: 't', pair: 'slipway.session_token=chosen' }
  const others =
    'theme=dark; slipway.session_token=planted; slipway.session_data=copy; slipway.dont_remember=1'

  test("of several session cookies only the chosen session's cookie is passed to the auth library, as the first cookie", () => {
    assert.equal(
      withOneSession(others, chosen, { keepsCopy: true }),
      'slipway.session_token=chosen; theme=dark; slipway.session_data=copy; slipway.dont_remember=1',
    )
  })

  test('the cookie that caches session data is removed even when split into several cookies, and kept when `keepsCopy` is set', () => {
    assert.equal(
      withOneSession(`${others}; slipway.session_data.0=a; slipway.session_data.1=b`, chosen, {
        keepsCopy: false,
      }),
      'slipway.session_token=chosen; theme=dark; slipway.dont_remember=1',
    )
  })

  test('without a chosen session no session cookie is passed to the auth library, whatever its prefix', () => {
    const planted =
      '__Host-slipway.session_token=a; __Secure-slipway.session_token=b; slipway.session_token=c; theme=dark'
    for (const keepsCopy of [true, false])
      assert.equal(withOneSession(planted, null, { keepsCopy }), 'theme=dark')
  })
})
