import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { authorize, type Attempt } from './access.ts'
import type { Caller, Identity, Policy, CallerSession } from './caller.ts'
import { type EndpointAccess } from './endpoint.ts'
import { KEY_SCOPES } from './scopes.ts'
import { ApiError } from './errors.ts'
import { HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

const baseUrl = 'http://localhost:4300'
const now = new Date('2026-06-01T12:00:00.000Z')
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
const OPEN: Policy = { requireSso: false, requireTwoFactor: false, sessionLifetimeDays: null, allowedIps: [] }
const session = (
  role: Caller['role'] = 'member',
  { policy = {}, ...facts }: Partial<CallerSession> & { policy?: Partial<Policy> } = {},
): Identity => ({
  caller: { ...common, kind: 'session', role, scopes: new Set(KEY_SCOPES) },
  policy: { ...OPEN, ...policy },
  session: { id: 's', createdAt: now, isThroughSso: false, hasTwoFactor: false, ...facts },
})
const keyUnder = (policy: Partial<Policy>, ...scopes: (typeof KEY_SCOPES)[number][]): Identity => ({
  caller: { ...common, kind: 'key', role: null, scopes: new Set(scopes) },
  policy: { ...OPEN, ...policy },
  session: null,
})
const key = (...scopes: (typeof KEY_SCOPES)[number][]) => keyUnder({}, ...scopes)

interface Try {
  scope?: EndpointAccess
  role?: 'admin'
  method?: string
  headers?: Record<string, string>
  base?: string
  address?: string
  isSpent?: boolean
}

/** The changes of the last call of `tryAccess`: `counted` against the rate limit, and `session ended` for a deleted session. */
let writes: string[] = []
const db = {
  deleteFrom: () => ({
    where: () => ({
      execute: () => {
        writes.push('session ended')
        return Promise.resolve([])
      },
    }),
  }),
}

/** Returns the error code of the refusal, or `in` when access was granted. */
async function tryAccess(
  identity: Identity,
  { scope = 'any', role, method = 'GET', headers = {}, base = baseUrl, address = '192.0.2.1', isSpent }: Try,
) {
  writes = []
  const limits = {
    caller: () => {
      writes.push('counted')
      return isSpent === true ? Promise.reject(new ApiError('rate_limited', 'Slow down.')) : Promise.resolve()
    },
  }
  const kernel = {
    config: { baseUrl: base },
    db,
    clock: { now: () => now },
  } as unknown as Attempt['kernel']
  const request = new Request(`${base}/api/v1/x`, { method, headers })
  try {
    await authorize({ endpoint: { scope, role }, identity, request, address, kernel, limits })
    return 'in'
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error))
    return error.code
  }
}

describe('access to an endpoint', () => {
  test('an API key needs exactly the scope that a route declares, and a session may call a route of any scope', async () => {
    for (const scope of KEY_SCOPES) {
      assert.equal(await tryAccess(key(scope), { scope }), 'in')
      assert.equal(
        await tryAccess(key(...KEY_SCOPES.filter((other) => other !== scope)), { scope }),
        'forbidden_scope',
      )
      assert.equal(await tryAccess(session(), { scope }), 'in')
    }
    assert.equal(await tryAccess(key(), { scope: 'any' }), 'in')
  })

  test('a session-only route refuses every API key before the scopes of the key are checked', async () => {
    assert.equal(await tryAccess(key(...KEY_SCOPES), { scope: 'session' }), 'forbidden')
    assert.equal(await tryAccess(key(...KEY_SCOPES), { scope: 'session', role: 'admin' }), 'forbidden')
    assert.equal(await tryAccess(session(), { scope: 'session' }), 'in')
  })

  test('a route for owners and admins refuses members and API keys', async () => {
    assert.equal(await tryAccess(session('owner'), { scope: 'session', role: 'admin' }), 'in')
    assert.equal(await tryAccess(session('admin'), { scope: 'session', role: 'admin' }), 'in')
    assert.equal(await tryAccess(session('member'), { scope: 'session', role: 'admin' }), 'forbidden')
    assert.equal(await tryAccess(key(...KEY_SCOPES), { scope: 'projects:write', role: 'admin' }), 'forbidden')
  })
})

describe('cross-site requests with a session', () => {
  const postFrom = (headers: Record<string, string>, base = baseUrl) =>
    tryAccess(session(), { method: 'POST', headers, base })

  test("a session is accepted from the service's own origin, and from any loopback host name when the base URL is loopback", async () => {
    for (const origin of ['http://localhost:4300', 'http://127.0.0.1:4300', 'http://[::1]:4300']) {
      assert.equal(await postFrom({ origin }), 'in', origin)
    }
    assert.equal(await postFrom({ 'sec-fetch-site': 'same-origin' }), 'in')
    assert.equal(await postFrom({ origin: 'https://slipway.test' }, 'https://slipway.test'), 'in')
  })

  test("a session's request that may change something is refused when its origin is another site, null or missing", async () => {
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
    for (const origin of foreign) assert.equal(await postFrom({ origin }), 'forbidden', origin)
    for (const origin of [
      'http://slipway.test',
      'https://slipway.test:8443',
      'https://a.slipway.test',
      'http://localhost',
    ]) {
      assert.equal(await postFrom({ origin }, 'https://slipway.test'), 'forbidden', origin)
    }
    assert.equal(await postFrom({}), 'forbidden')
    assert.equal(await postFrom({ 'sec-fetch-site': 'same-site' }), 'forbidden')
    assert.equal(await postFrom({ 'sec-fetch-site': 'none' }), 'forbidden')
    assert.equal(await postFrom({ origin: 'http://evil.test', 'sec-fetch-site': 'same-origin' }), 'forbidden')
  })

  test('with a session the origin is checked for every method that may change something; reads and requests with an API key need no origin', async () => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
      assert.equal(
        await tryAccess(session(), { method, headers: { origin: 'http://evil.test' } }),
        'forbidden',
        method,
      )
      assert.equal(await tryAccess(key(), { method, headers: { origin: 'http://evil.test' } }), 'in', method)
    }
    assert.equal(await tryAccess(session(), { method: 'GET', headers: { origin: 'http://evil.test' } }), 'in')
  })
})

describe("the organization's policy", () => {
  const lists = { allowedIps: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.7'] }

  test("API keys and sessions are accepted from an address in the organization's IP allowlist and refused from any other address", async () => {
    for (const identity of [session('owner', { policy: lists }), keyUnder(lists)]) {
      for (const address of ['192.0.2.1', '192.0.2.255', '2001:db8::1', '198.51.100.7'])
        assert.equal(await tryAccess(identity, { address }), 'in', address)
      for (const address of ['192.0.3.1', '198.51.100.8', '2001:db9::1', '0.0.0.0', '::1'])
        assert.equal(await tryAccess(identity, { address }), 'ip_not_allowed', address)
    }
  })

  test('an IP allowlist of ::/0 does not allow IPv4 addresses, and an allowlist of 0.0.0.0/0 does not allow IPv6 addresses', async () => {
    assert.equal(await tryAccess(keyUnder({ allowedIps: ['::/0'] }), {}), 'ip_not_allowed')
    assert.equal(
      await tryAccess(keyUnder({ allowedIps: ['0.0.0.0/0'] }), { address: '::1' }),
      'ip_not_allowed',
    )
  })

  test('IP allowlists are enforced even when there are more than fit in the cache of parsed lists', async () => {
    for (let i = 0; i < 1_100; i++) {
      const allowedIps = [`10.${i >> 8}.${i & 255}.0/24`]
      assert.equal(await tryAccess(keyUnder({ allowedIps }), { address: `10.${i >> 8}.${i & 255}.9` }), 'in')
      assert.equal(await tryAccess(keyUnder({ allowedIps }), { address: '11.0.0.9' }), 'ip_not_allowed')
    }
  })

  test("a request from an address outside the IP allowlist does not count against the API key's rate limit", async () => {
    assert.equal(
      await tryAccess(keyUnder(lists), { address: '203.0.113.1', isSpent: true }),
      'ip_not_allowed',
    )
    assert.deepEqual(writes, [])
    assert.equal(await tryAccess(keyUnder(lists), { isSpent: true }), 'rate_limited')
    assert.deepEqual(writes, ['counted'])
  })

  test('a session is refused and ended exactly at the maximum age that its organization has set', async () => {
    const sessionOfAge = (ms: number, days: number | null) =>
      session('owner', {
        createdAt: new Date(now.getTime() - ms),
        policy: { sessionLifetimeDays: days },
      })
    assert.equal(await tryAccess(sessionOfAge(24 * HOUR_MS - 1, 1), {}), 'in')
    assert.deepEqual(writes, ['counted'])
    assert.equal(await tryAccess(sessionOfAge(24 * HOUR_MS, 1), {}), 'unauthorized')
    assert.deepEqual(writes, ['counted', 'session ended'])
    assert.equal(await tryAccess(sessionOfAge(24 * HOUR_MS, 7), {}), 'in')
    assert.equal(await tryAccess(sessionOfAge(29 * 24 * HOUR_MS, null), {}), 'in')
  })

  test("an organization's requirements of two-factor and single sign-on apply to sessions, not to API keys", async () => {
    const policy = { requireTwoFactor: true, requireSso: true, sessionLifetimeDays: 1 }
    assert.equal(await tryAccess(keyUnder(policy), {}), 'in')
    const twoFactor = { requireTwoFactor: true }
    assert.equal(await tryAccess(session('owner', { policy: twoFactor }), {}), 'two_factor_required')
    assert.equal(await tryAccess(session('member', { policy: twoFactor, hasTwoFactor: true }), {}), 'in')
    const sso = { requireSso: true }
    assert.equal(await tryAccess(session('owner', { policy: sso }), {}), 'unauthorized')
    assert.equal(await tryAccess(session('owner', { policy: sso, isThroughSso: true }), {}), 'in')
  })

  test('a request that fails several access checks gets the error of the first failed check in a fixed order', async () => {
    const old = new Date(now.getTime() - 100 * 24 * HOUR_MS)
    const all: Policy = {
      requireSso: true,
      requireTwoFactor: true,
      sessionLifetimeDays: 1,
      allowedIps: ['192.0.2.1'],
    }
    const worst = {
      scope: 'session',
      role: 'admin',
      method: 'POST',
      headers: { origin: 'http://evil.test' },
    } as const
    const firstRefusal = (policy: Partial<Policy>, tried: Try, createdAt = now) =>
      tryAccess(session('member', { policy, createdAt }), { ...worst, ...tried })
    const own = { headers: { origin: baseUrl } }
    assert.equal(await firstRefusal(all, { address: '192.0.2.2', isSpent: true }, old), 'ip_not_allowed')
    assert.equal(await firstRefusal(all, { isSpent: true }, old), 'rate_limited')
    assert.equal(await firstRefusal(all, {}, old), 'forbidden')
    assert.equal(await firstRefusal(all, own, old), 'unauthorized')
    assert.equal(await firstRefusal({ ...all, requireSso: false }, own), 'two_factor_required')
    assert.equal(await firstRefusal({}, own), 'forbidden')
    const keys = keyUnder({ allowedIps: ['192.0.2.1'] })
    assert.equal(await tryAccess(keys, { ...worst, address: '192.0.2.2' }), 'ip_not_allowed')
    assert.equal(await tryAccess(keys, worst), 'forbidden')
    assert.equal(await tryAccess(keys, { scope: 'deploy:write', role: 'admin' }), 'forbidden_scope')
  })
})
