import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { enableCapabilities, importInWorkerd, workerEnv } from '../objects/workerd.test.fixture.ts'

const importSecurity = () => importInWorkerd(() => import('./security.ts'))
const CONSOLE = 'https://console.example.test'

describe('the headers that protect the pages of an app', () => {
  let withSecurityHeaders: Awaited<ReturnType<typeof importSecurity>>['withSecurityHeaders']
  before(async () => {
    ;({ withSecurityHeaders } = await importSecurity())
  })
  const reset = () => {
    enableCapabilities()
    for (const name of ['APP_TIER', 'APP_CONSOLE_ORIGIN', 'VIDEO_HOSTS']) delete workerEnv[name]
  }
  beforeEach(reset)
  after(reset)

  const page = (headers: Record<string, string> = {}) =>
    new Response('<p>', { headers: { 'content-type': 'text/html; charset=utf-8', ...headers } })
  /** The directives of the content security policy, by their names. */
  function policyOf(response: Response): Record<string, string> {
    const text = response.headers.get('content-security-policy') ?? ''
    return Object.fromEntries(
      text.split('; ').map((part) => [part.slice(0, part.indexOf(' ')), part.slice(part.indexOf(' ') + 1)]),
    )
  }

  test("an app's page runs scripts only from, sends data only to, and can be framed only by, the app itself", () => {
    const policy = policyOf(withSecurityHeaders(page()))
    assert.deepEqual(
      [
        'script-src',
        'connect-src',
        'form-action',
        'frame-ancestors',
        'object-src',
        'base-uri',
        'default-src',
      ].map((name) => policy[name]),
      ["'self'", "'self'", "'self'", "'self'", "'none'", "'none'", "'self'"],
    )
  })

  test("with the capabilities guard and video, the content security policy also allows the bot check's and videos' hosts", () => {
    enableCapabilities('guard', 'video')
    const policy = policyOf(withSecurityHeaders(page()))
    assert.equal(policy['script-src'], "'self' https://challenges.cloudflare.com")
    assert.equal(
      policy['frame-src'],
      "'self' https://challenges.cloudflare.com https://*.cloudflarestream.com https://*.videodelivery.net",
    )
    assert.equal(policy['connect-src'], "'self' https://*.cloudflarestream.com https://*.videodelivery.net")
    workerEnv['VIDEO_HOSTS'] = 'http://127.0.0.1:9000'
    assert.equal(policyOf(withSecurityHeaders(page()))['connect-src'], "'self' http://127.0.0.1:9000")
  })

  test('only the console may show a preview in a frame, and search engines are told not to list the preview', () => {
    workerEnv['APP_TIER'] = 'preview'
    workerEnv['APP_CONSOLE_ORIGIN'] = `${CONSOLE}/some/path`
    const response = withSecurityHeaders(page())
    assert.equal(policyOf(response)['frame-ancestors'], CONSOLE)
    assert.equal(response.headers.get('x-robots-tag'), 'noindex')
  })

  test('a preview without a valid console address can be framed only by itself', () => {
    workerEnv['APP_TIER'] = 'preview'
    for (const origin of [undefined, '', 'no address', "https://evil.test; script-src 'unsafe-inline'"]) {
      workerEnv['APP_CONSOLE_ORIGIN'] = origin
      const policy = policyOf(withSecurityHeaders(page()))
      assert.deepEqual(
        [policy['frame-ancestors'], policy['script-src']],
        ["'self'", "'self'"],
        String(origin),
      )
    }
  })

  test('a content security policy that a page has already is kept', () => {
    const own = "default-src 'none'"
    const { headers } = withSecurityHeaders(page({ 'content-security-policy': own }))
    assert.equal(headers.get('content-security-policy'), own)
  })

  test('responses other than pages get no content security policy, but browsers may not guess their type', () => {
    for (const type of ['application/json', 'image/svg+xml', 'text/plain']) {
      const { headers } = withSecurityHeaders(new Response('x', { headers: { 'content-type': type } }))
      assert.deepEqual(
        [
          headers.get('content-security-policy'),
          headers.get('x-content-type-options'),
          headers.get('referrer-policy'),
        ],
        [null, 'nosniff', 'same-origin'],
        type,
      )
    }
  })

  test('a response with immutable headers, such as one from another server, is copied with its status, headers and body', async () => {
    const response = Response.redirect('https://app.test/next', 302)
    const answer = withSecurityHeaders(response)
    assert.deepEqual(
      [answer.status, answer.headers.get('location'), answer.headers.get('x-content-type-options')],
      [302, 'https://app.test/next', 'nosniff'],
    )
    const sealed = new Response('pears', { status: 203 })
    sealed.headers.set = () => {
      throw new TypeError('immutable')
    }
    const copy = withSecurityHeaders(sealed)
    assert.deepEqual(
      [copy.status, copy.headers.get('x-content-type-options'), await copy.text()],
      [203, 'nosniff', 'pears'],
    )
  })

  test('a response that opens a WebSocket is passed on unchanged, because a copy would lose the socket', () => {
    // Node cannot make a response with this status.
    const upgrade = { status: 101 } as Response
    assert.equal(withSecurityHeaders(upgrade), upgrade)
  })
})
