import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ENDPOINTS } from '../../tables/endpoints.ts'
import { testApp, type TestApp } from '../../testing/app.ts'
import { BEHIND_PROXY, type Credential, everyCredential } from '../../testing/credentials.ts'
import type { Endpoint } from '../endpoint.ts'
import { type ErrorCode, STATUS_OF } from '../errors.ts'

/** Error codes that only access checks return and never handlers. So each proves that a check refused the request. */
const CHECKED: readonly ErrorCode[] = [
  'unauthorized',
  'ip_not_allowed',
  'two_factor_required',
  'forbidden_scope',
]

/** Returns the expected error code, or null when the request must reach the handler. */
function refusalFor(endpoint: Endpoint, who: Credential): ErrorCode | null {
  if (endpoint.scope === 'public')
    return endpoint.refusesKeys === true && who.kind === 'key' ? 'forbidden' : null
  if (who.isRefused !== undefined) return who.isRefused
  if (endpoint.scope === 'session' && who.kind === 'key') return 'forbidden'
  if (who.lacksTwoFactor === true) return 'two_factor_required'
  const needed = endpoint.scope
  if (needed !== 'any' && needed !== 'session' && !(who.scopes ?? []).includes(needed))
    return 'forbidden_scope'
  if (endpoint.role === 'admin' && who.role !== 'owner' && who.role !== 'admin') return 'forbidden'
  return null
}

describe('every route with every kind of credential', () => {
  let app: TestApp
  let credentials: Credential[]
  before(async () => {
    app = await testApp(BEHIND_PROXY)
    credentials = await everyCredential(app)
  })
  after(() => app.close())

  /** Sends a request with an unknown id and an invalid body, so that nothing is changed when it reaches the handler. */
  const askAs = async (endpoint: Endpoint, who: Credential) => {
    const answer = await app.request(`${endpoint.method} ${endpoint.path.replaceAll(/:\w+/g, 'x')}`, {
      headers: { 'content-type': 'application/json', ...who.headers },
      ...(endpoint.method !== 'GET' && { body: '[]' }),
    })
    if (answer.ok || !answer.headers.get('content-type')?.includes('json')) {
      await answer.body?.cancel()
      return { status: answer.status, code: null }
    }
    const { error } = (await answer.json()) as { error: { code: ErrorCode } }
    return { status: answer.status, code: error.code }
  }

  test('every route accepts exactly the kinds of credentials that its endpoint declares', async () => {
    assert.ok(credentials.length > 15)
    for (const endpoint of ENDPOINTS)
      for (const who of credentials) {
        const { status, code } = await askAs(endpoint, who)
        const expected = refusalFor(endpoint, who)
        const said = `${endpoint.route} with ${who.name} answered ${status} ${code}`
        const mayHandlerForbid = endpoint.fails.includes('forbidden')
        // A route of the kind `status` never returns a body, not even for an error.
        const shown = endpoint.kind === 'status' ? null : expected
        if (expected !== null) assert.deepEqual([status, code], [STATUS_OF[expected], shown], said)
        else assert.ok(code === null || !CHECKED.includes(code), said)
        if (expected === null && !mayHandlerForbid) assert.notEqual(code, 'forbidden', said)
      }
  })

  test('when a request contains an API key and a session cookie, only the key is used', async () => {
    const headersOf = (name: string) => credentials.find((who) => who.name === name)?.headers
    const both = { ...headersOf('an owner'), ...headersOf('a key with projects:read only') }
    assert.deepEqual(Object.keys(both).toSorted(), ['authorization', 'cookie', 'origin'])
    for (const endpoint of ENDPOINTS.filter(
      (item) => item.scope === 'session' || item.scope === 'deploy:write',
    )) {
      const { code } = await askAs(endpoint, { name: 'both', kind: 'key', headers: both })
      assert.equal(code, endpoint.scope === 'session' ? 'forbidden' : 'forbidden_scope', endpoint.route)
    }
  })

  test('sign-in and organization routes refuse every API key, whatever its scopes', async () => {
    const paths = [
      'sign-in/email',
      'sign-out',
      'get-session',
      'request-password-reset',
      'organization/invite-member',
    ]
    for (const who of credentials.filter((item) => item.kind === 'key'))
      for (const path of paths) {
        const answer = await app.request(`POST /api/auth/${path}`, { headers: who.headers, body: '{}' })
        assert.equal(answer.status, 403, `${path} with ${who.name}`)
      }
  })
})
