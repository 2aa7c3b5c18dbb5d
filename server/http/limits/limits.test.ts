import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { meRoutes } from '../../me/me.routes.ts'
import { testDatabase } from '../../testing/database.ts'
import { openMinimalApp } from '../../testing/minimal-app.ts'
import { ApiError } from '../errors.ts'
import { addressBucket, createLimits } from './limits.ts'

const smallLimits = () => createLimits({ keyPerMinute: 2, sessionPerMinute: 3, addressPerMinute: 4 })
const keyCaller = (actorId: string) => ({ kind: 'key', actorId }) as const
const sessionCaller = (actorId: string) => ({ kind: 'session', actorId }) as const

async function countPasses(n: number, call: () => Promise<void>): Promise<number> {
  const results = await Promise.allSettled(Array.from({ length: n }, call))
  return results.filter((result) => result.status === 'fulfilled').length
}

describe('limits', () => {
  test('every API key, every user and every IP address has its own rate limit', async () => {
    const limits = smallLimits()
    assert.equal(await countPasses(10, () => limits.caller(keyCaller('a'))), 2)
    assert.equal(await countPasses(10, () => limits.caller(keyCaller('b'))), 2)
    assert.equal(await countPasses(10, () => limits.caller(sessionCaller('a'))), 3)
    assert.equal(await countPasses(10, () => limits.address('203.0.113.7')), 4)
    assert.equal(await countPasses(10, () => limits.address('203.0.113.8')), 4)
  })

  test('the rate limit of a route counts per organization, user or address, as declared; routes that declare the same counter share a limit', async () => {
    const limits = smallLimits()
    const limit = { counter: 'export', per: 'organization', perMinute: 3 } as const
    const attemptOf = (organizationId: string, userId: string | null = 'u') => ({
      address: '203.0.113.7',
      caller: { organizationId, userId, actorId: 'key_a' },
      path: '/export',
    })
    assert.equal(await countPasses(5, () => limits.route(limit, attemptOf('a'))), 3)
    assert.equal(await countPasses(5, () => limits.route({ ...limit }, attemptOf('a', 'other'))), 0)
    assert.equal(await countPasses(5, () => limits.route(limit, attemptOf('b'))), 3)
    const perUser = { counter: 'look-ups', per: 'user', perMinute: 2 } as const
    assert.equal(await countPasses(5, () => limits.route(perUser, attemptOf('a', 'u1'))), 2)
    assert.equal(await countPasses(5, () => limits.route(perUser, attemptOf('a', null))), 2)
    const perAddress = { counter: 'codes', per: 'address', perMinute: 1 } as const
    assert.equal(await countPasses(5, () => limits.route(perAddress, { ...attemptOf('a'), caller: null })), 1)
  })

  test('all routes that check a password or another credential share one limit per IP address, a tenth of the general limit', async () => {
    const limits = createLimits({ keyPerMinute: 1, sessionPerMinute: 1, addressPerMinute: 30 })
    const spendCredentials = (path: string, address = '203.0.113.7') =>
      limits.credentials(address, `/api/auth/${path}`)
    assert.equal(await countPasses(9, () => spendCredentials('get-session')), 9)
    assert.equal(await countPasses(9, () => spendCredentials('sign-in-later')), 9)
    const tries = ['sign-in/email', 'sign-up/email', 'reset-password/abc', 'two-factor/verify-totp']
    const results = await Promise.allSettled(tries.map((path) => spendCredentials(path)))
    assert.deepEqual(
      results.map((result) => result.status),
      ['fulfilled', 'fulfilled', 'fulfilled', 'rejected'],
    )
    assert.equal(await countPasses(5, () => spendCredentials('sign-in/email', '203.0.113.8')), 3)
  })

  test('a call over its rate limit throws `rate_limited` with the whole number of seconds to wait', async () => {
    const limits = smallLimits()
    await countPasses(2, () => limits.caller(keyCaller('a')))
    await assert.rejects(limits.caller(keyCaller('a')), (error) => {
      assert.ok(error instanceof ApiError)
      assert.equal(error.code, 'rate_limited')
      const seconds = error.retryAfterSeconds ?? 0
      assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(seconds))
      return true
    })
  })

  test('addresses of one IPv6 network share a rate limit', () => {
    assert.equal(addressBucket('2001:db8::7'), '2001:db8:0:0::/64')
    assert.equal(addressBucket('2001:db8:0:0:ffff::1'), '2001:db8:0:0::/64')
    assert.equal(addressBucket('2001:db8:0:1::7'), '2001:db8:0:1::/64')
    assert.equal(addressBucket('::1'), '0:0:0:0::/64')
    assert.equal(addressBucket('2001:db8::'), '2001:db8:0:0::/64')
    assert.equal(addressBucket('203.0.113.7'), '203.0.113.7')
  })

  test('a request over a rate limit gets a 429 with Retry-After and no other rate limit header, on API and auth routes', async () => {
    const database = await testDatabase()
    const limits = { keyPerMinute: 1, sessionPerMinute: 2, addressPerMinute: 6 }
    const app = openMinimalApp(database, meRoutes, { limits })
    try {
      const { cookie } = await app.signUp('Busy')
      const requestPath = (path: string, headers: Record<string, string>) => app.request(path, { headers })
      const seen: Response[] = []
      for (let i = 0; i < 3; i++) seen.push(await requestPath('/api/v1/me', { cookie }))
      for (let i = 0; i < 3; i++) seen.push(await requestPath('/api/me', { authorization: 'Bearer svk_x' }))
      seen.push(await requestPath('/api/auth/get-session', { cookie }))
      assert.deepEqual(
        seen.map((response) => response.status),
        [200, 200, 429, 401, 401, 429, 429],
      )
      for (const response of seen) {
        const isRefused = response.status === 429
        assert.equal(/^[1-9]\d*$/.test(response.headers.get('retry-after') ?? ''), isRefused)
        assert.deepEqual(
          [...response.headers.keys()].filter((name) => /ratelimit|x-retry/i.test(name)),
          [],
        )
        if (isRefused) {
          assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'rate_limited')
        }
      }
    } finally {
      await app.auth.close()
      await database.drop()
    }
  })
})
