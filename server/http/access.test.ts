import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorize } from './access.ts'
import type { Caller } from './caller.ts'
import { SCOPES, type Access } from './endpoint.ts'
import { ApiError } from './errors.ts'

const baseUrl = 'http://localhost:4300'
const common = {
  organizationId: 'org_1',
  organizationName: 'Acme',
  plan: 'free',
  suspendedAt: null,
  actorId: 'a',
  userId: 'u',
  userName: 'Ada',
  email: 'ada@acme.test',
} as const
const session = (role: Caller['role'] = 'member'): Caller => ({
  ...common,
  kind: 'session',
  role,
  scopes: new Set(SCOPES),
})
const key = (...scopes: Caller['scopes'] extends ReadonlySet<infer S> ? S[] : never): Caller => ({
  ...common,
  kind: 'key',
  role: null,
  scopes: new Set(scopes),
})

interface Try {
  scope?: Access
  role?: 'admin'
  method?: string
  headers?: Record<string, string>
  base?: string
}

/** The code of the refusal, or 'in'. */
function attempt(caller: Caller, { scope = 'any', role, method = 'GET', headers = {}, base = baseUrl }: Try) {
  try {
    authorize({ scope, role }, caller, new Request(`${base}/api/v1/x`, { method, headers }), {
      baseUrl: base,
    })
    return 'in'
  } catch (error) {
    assert.ok(error instanceof ApiError)
    return error.code
  }
}

describe('who is let in', () => {
  test('a key needs exactly the scope of the route; a session holds them all', () => {
    for (const scope of SCOPES) {
      assert.equal(attempt(key(scope), { scope }), 'in')
      assert.equal(attempt(key(...SCOPES.filter((other) => other !== scope)), { scope }), 'forbidden_scope')
      assert.equal(attempt(session(), { scope }), 'in')
    }
    assert.equal(attempt(key(), { scope: 'any' }), 'in')
  })

  test('a session-only route refuses a key whatever its scopes, before anything is said about scopes', () => {
    assert.equal(attempt(key(...SCOPES), { scope: 'session' }), 'forbidden')
    assert.equal(attempt(key(...SCOPES), { scope: 'session', role: 'admin' }), 'forbidden')
    assert.equal(attempt(session(), { scope: 'session' }), 'in')
  })

  test('an owners-and-admins route refuses members and keys', () => {
    assert.equal(attempt(session('owner'), { scope: 'session', role: 'admin' }), 'in')
    assert.equal(attempt(session('admin'), { scope: 'session', role: 'admin' }), 'in')
    assert.equal(attempt(session('member'), { scope: 'session', role: 'admin' }), 'forbidden')
    assert.equal(attempt(key(...SCOPES), { scope: 'projects:write', role: 'admin' }), 'forbidden')
  })
})

describe('cross-site requests with a session', () => {
  const post = (headers: Record<string, string>, base = baseUrl) =>
    attempt(session(), { method: 'POST', headers, base })

  test('the own origin is let in, and every loopback name when the base address is loopback', () => {
    for (const origin of ['http://localhost:4300', 'http://127.0.0.1:4300', 'http://[::1]:4300']) {
      assert.equal(post({ origin }), 'in', origin)
    }
    assert.equal(post({ 'sec-fetch-site': 'same-origin' }), 'in')
    assert.equal(post({ origin: 'https://slipway.test' }, 'https://slipway.test'), 'in')
  })

  test('a foreign, null or missing origin is refused', () => {
    const foreign = [
      'null',
      'http://localhost:4320',
      'http://app.localhost:4300',
      'https://localhost:4300',
      'http://localhost:4300.evil.test',
      'http://localhost:4300@evil.test',
      'http://evil.test',
      'HTTP://LOCALHOST:4300/',
      '',
    ]
    for (const origin of foreign) assert.equal(post({ origin }), 'forbidden', origin)
    for (const origin of [
      'http://slipway.test',
      'https://slipway.test:8443',
      'https://a.slipway.test',
      'http://localhost',
    ]) {
      assert.equal(post({ origin }, 'https://slipway.test'), 'forbidden', origin)
    }
    assert.equal(post({}), 'forbidden')
    assert.equal(post({ 'sec-fetch-site': 'same-site' }), 'forbidden')
    assert.equal(post({ 'sec-fetch-site': 'none' }), 'forbidden')
    assert.equal(post({ origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' }), 'forbidden')
  })

  test('every unsafe method is guarded, reading is not, and keys need no origin', () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal(
        attempt(session(), { method, headers: { origin: 'http://evil.test' } }),
        'forbidden',
        method,
      )
      assert.equal(attempt(key(), { method, headers: { origin: 'http://evil.test' } }), 'in', method)
    }
    assert.equal(attempt(session(), { method: 'GET', headers: { origin: 'http://evil.test' } }), 'in')
  })
})
