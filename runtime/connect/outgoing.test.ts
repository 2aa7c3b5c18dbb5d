import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { apiUrl, sendWithToken } from './outgoing.ts'
import type { ConnectProvider } from './settings.ts'
import { replaceFetch, restoreFetch } from '../testing/fetch.test.fixture.ts'

const GITHUB: ConnectProvider = {
  id: 'github',
  kind: 'oauth',
  clientId: 'c',
  clientSecret: 's',
  authorizeUrl: 'https://github.test/authorize',
  tokenUrl: 'https://github.test/token',
  apiBase: 'https://api.github.test/v3',
  scopes: [],
}
const GET = { method: 'GET', path: '/user', headers: [], body: null } satisfies Parameters<
  typeof sendWithToken
>[2]

test("an app's request to a connected service cannot leave the base URL of the service's API", () => {
  assert.equal(
    apiUrl('https://api.test/v3', '/user?per_page=2&q=a@b').href,
    'https://api.test/v3/user?per_page=2&q=a@b',
  )
  assert.equal(apiUrl('https://api.test/', '/user#part').href, 'https://api.test/user')
  assert.equal(apiUrl('https://api.test', '/a/../b').href, 'https://api.test/b')
  const out = [
    '//evil.test/user',
    '/\\evil.test/user',
    '/a\\..\\..\\b',
    '@evil.test/',
    '.evil.test/',
    ':8443/',
    'https://evil.test/',
    'user',
    '',
    '/../../admin',
    '/%2e%2e/admin',
    '/..%2f..%2fadmin',
    '/a b',
    '/a\n/b',
    '/\t/evil.test',
    7,
    null,
  ]
  for (const path of out)
    assert.throws(() => apiUrl('https://api.test/v3', path), { code: 'invalid_request' }, String(path))
})

describe('a request for another service', () => {
  const sent: Request[] = []
  const mockAnswer = (answer: Response) => {
    replaceFetch(async (url: URL, init: RequestInit) => {
      sent.push(new Request(url, { ...init, duplex: 'half' } as RequestInit))
      return answer
    })
  }
  afterEach(() => {
    restoreFetch()
    sent.length = 0
  })

  test("a request to a connected service has the person's credential, which the app's headers cannot replace", async () => {
    mockAnswer(new Response('{}'))
    const headers: [string, string][] = [
      ['authorization', 'Bearer forged'],
      ['cookie', 'a=1'],
      ['x-forwarded-host', 'evil.test'],
      ['accept', 'text/plain'],
    ]
    await sendWithToken(GITHUB, 'the-token', { ...GET, headers })
    assert.equal(sent[0]?.url, 'https://api.github.test/v3/user')
    assert.deepEqual(Object.fromEntries(sent[0].headers), {
      accept: 'text/plain',
      authorization: 'Bearer the-token',
      'user-agent': 'Slipway app',
    })
    assert.equal(sent[0].redirect, 'manual')
  })

  test("a request to a connected service that uses API keys sends the key in the service's own header", async () => {
    mockAnswer(new Response('{}'))
    const crm: ConnectProvider = { ...GITHUB, id: 'crm', kind: 'apiKey', header: 'x-api-key' }
    await sendWithToken(crm, 'the-key', { ...GET, headers: [['x-api-key', 'forged']] })
    assert.equal(sent[0]?.headers.get('x-api-key'), 'the-key')
    assert.equal(sent[0].headers.get('authorization'), null)
  })

  test("a connected service's response is returned without cookies and auth headers, and redirects are not followed", async () => {
    const headers = { 'set-cookie': 'sid=1', 'www-authenticate': 'Bearer', authorization: 'x', etag: '"1"' }
    mockAnswer(
      new Response('moved', { status: 302, headers: { ...headers, location: 'https://evil.test/' } }),
    )
    const answer = await sendWithToken(GITHUB, 'the-token', GET)
    assert.equal(answer.status, 302)
    assert.equal(await answer.text(), 'moved')
    assert.deepEqual(
      [...answer.headers.keys()].filter((name) => name !== 'content-type'),
      ['etag', 'location'],
    )
    assert.equal(sent.length, 1)
  })

  test('a request to a connected service is not sent if its method is invalid or its body exceeds 5 MiB', async () => {
    mockAnswer(new Response())
    const body = new ArrayBuffer(5 * 1024 * 1024 + 1)
    await assert.rejects(sendWithToken(GITHUB, 't', { ...GET, method: 'POST', body }), {
      code: 'invalid_request',
    })
    await assert.rejects(sendWithToken(GITHUB, 't', { ...GET, method: 'GET X' }), { code: 'invalid_request' })
    assert.equal(sent.length, 0)
  })

  test('the error for an unreachable connected service contains no part of the request', async () => {
    replaceFetch(async () => {
      throw new Error('failed with Bearer the-token')
    })
    await assert.rejects(sendWithToken(GITHUB, 'the-token', GET), (error: Error & { cause?: unknown }) => {
      assert.doesNotMatch(`${error.message} ${String(error.cause)}`, /the-token/)
      return true
    })
  })
})
