import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { Hono } from 'hono'
import { HeldClock } from '../../testing/held-clock.ts'
import { Journal } from '../../world/journal.ts'
import { silentLog } from '../../world/log.ts'
import { openStore } from '../../schema.ts'
import { findAccount, seedGithub } from '../accounts.ts'
import { type GithubEnv, GithubFailure } from '../context.ts'
import { RateLimit } from './rate-limit.ts'

const LIMIT = 5000
const HOUR_MS = 3_600_000

describe('the rate limit of the local code host', () => {
  const store = openStore(':memory:')
  const clock = new HeldClock()
  seedGithub(store, 1)
  after(() => store.close())
  const github = {
    store,
    dir: '',
    journal: new Journal(store),
    faults: null,
    log: silentLog,
    now: clock.now,
    baseUrl: null,
  }
  const limit = new RateLimit(github)
  const user = findAccount(store, 'owner')
  const app = new Hono<GithubEnv>()
    .use(async (c, next) => {
      assert.ok(user !== null)
      c.set('viewer', { user, token: { userId: user.id, clientId: 'c', scopes: [] } })
      await next()
    })
    .use(limit.count)
    .all('*', (c) => c.text('here'))
  app.onError((error, c) => {
    assert.ok(error instanceof GithubFailure)
    return c.text(error.message, error.status as 403, error.headers)
  })

  test('the first call beyond the hourly rate limit is refused, with the time at which the limit resets', async () => {
    const start = clock.now()
    for (let n = 1; n < LIMIT; n++) await app.request('/user')
    const last = await app.request('/user')
    assert.deepEqual([last.status, last.headers.get('x-ratelimit-remaining')], [200, '0'])
    const refused = await app.request('/user')
    assert.deepEqual([refused.status, await refused.text()], [403, 'API rate limit exceeded'])
    assert.deepEqual(
      [refused.headers.get('x-ratelimit-limit'), refused.headers.get('x-ratelimit-remaining')],
      ['5000', '0'],
    )
    assert.equal(Number(refused.headers.get('x-ratelimit-reset')), Math.ceil((start + HOUR_MS) / 1000))
    clock.advance(HOUR_MS - 1)
    assert.equal((await app.request('/user')).status, 403)
    clock.advance(1)
    assert.equal((await app.request('/user')).headers.get('x-ratelimit-used'), '1')
  })

  test('reading the rate limit is not counted, and a user without calls has the full limit', async () => {
    const before = limit.stateOf(user?.id ?? 0).used
    await app.request('/rate_limit')
    assert.equal(limit.stateOf(user?.id ?? 0).used, before)
    assert.deepEqual([limit.stateOf(-1).remaining, limit.stateOf(-1).used], [LIMIT, 0])
  })
})
