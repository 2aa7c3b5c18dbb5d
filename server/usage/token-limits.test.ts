import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { NO_USAGE } from '../agent/model/usage.ts'
import { transact } from '../db/database.ts'
import { testDatabase, type TestDatabase } from '../testing/database.ts'
import { storeTokenUsage } from './store-token-usage.ts'
import {
  addToMonth,
  reachedLimit,
  readTokenMonth,
  saveTokenLimits,
  type TokenLimits,
} from './token-limits.ts'

const AT = new Date('2026-11-30T23:59:59.999Z')
const NEXT = new Date('2026-12-01T00:00:00.000Z')

describe('the tokens that an organization may use', () => {
  let database: TestDatabase
  before(async () => {
    database = await testDatabase()
    await database.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('o1', 'O', 'o1', now()), ('o2', 'P', 'o2', now());
       insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
       values ('p1', 'o1', 'Shop', 'shop', 'shop', now(), now())`,
    )
  })
  after(() => database.drop())
  beforeEach(() =>
    database.pool.query('delete from token_limits; delete from token_months; delete from token_usage'),
  )

  const limit = (limits: Partial<TokenLimits>, org = 'o1') =>
    transact(database.db, (trx) =>
      saveTokenLimits(trx, org, { monthly: null, perTicket: null, ...limits }, AT),
    )
  const use = (tokens: number, at = AT, org = 'o1') =>
    transact(database.db, (trx) => addToMonth(trx, org, tokens, at))
  /** Stores the usage of one call of a build, or of a call outside of builds. */
  const call = (input: number, ticketId: string | null) =>
    transact(database.db, (trx) =>
      storeTokenUsage(trx, {
        orgId: 'o1',
        projectId: 'p1',
        build: ticketId === null ? null : { runId: 'run_1', ticketId },
        provider: 'scaffold',
        model: 'm',
        usage: { ...NO_USAGE, input, cacheRead: input / 2 },
        at: AT,
      }),
    )
  const reached = (ticketId: string | null = null, at = AT, orgId = 'o1') =>
    reachedLimit(database.db, { orgId, ticketId }, at)
  const month = (at = AT, org = 'o1') => readTokenMonth(database.db, org, at)

  test('an organization without limits is never limited, however many tokens it has used', async () => {
    assert.deepEqual(await month(), { month: '2026-11', used: 0, monthly: null, perTicket: null })
    await use(9_000_000_000_000)
    assert.equal(await reached('t1'), null)
    assert.equal((await month()).used, 9_000_000_000_000)
  })

  test('tokens count for the month in UTC in which they were used, and for their organization only', async () => {
    await use(10)
    await use(5, NEXT)
    await use(7, AT, 'o2')
    assert.deepEqual(
      [(await month()).used, (await month(NEXT)).used, (await month(AT, 'o2')).used],
      [10, 5, 7],
    )
  })

  test('the tokens of model calls that end at the same moment are all counted', async () => {
    await Promise.all(Array.from({ length: 10 }, (_, n) => use(n)))
    assert.equal((await month()).used, 45)
  })

  test('the monthly token limit is reached when exactly that number of tokens is used, and the next month begins at zero', async () => {
    await limit({ monthly: 1_000_000 })
    await use(999_999)
    assert.equal(await reached(), null)
    await use(1)
    assert.deepEqual(await reached(), {
      message:
        'The organization used 1,000,000 of its 1,000,000 tokens for November 2026. An owner or admin can raise the limit under Models; the next month begins on 1 December 2026 (UTC).',
      until: NEXT,
    })
    assert.equal(await reached(null, NEXT), null)
    assert.equal(await reached(null, AT, 'o2'), null)
  })

  test('a monthly token limit reached in December lasts until January of the next year', async () => {
    const december = new Date('2026-12-31T12:00:00.000Z')
    await limit({ monthly: 1 })
    await use(1, december)
    const limited = await reached(null, december)
    assert.deepEqual(limited?.until, new Date('2027-01-01T00:00:00.000Z'))
    assert.match(limited?.message ?? '', /for December 2026\..*begins on 1 January 2027 \(UTC\)\.$/)
  })

  test('each ticket has its own token limit, which counts only calls of its builds and is not reset monthly', async () => {
    await limit({ perTicket: 110 })
    await call(100, 't1')
    // A token from the cache counts as a tenth: 50 + 5.
    assert.equal(await reached('t1'), null)
    await call(100, 't1')
    await call(1000, null)
    await call(100, 't2')
    assert.deepEqual(await reached('t1', NEXT), {
      message:
        'The builds of this ticket used 110 of the 110 tokens that a ticket may use. An owner or admin can raise the limit under Models; smaller tickets use fewer.',
      until: null,
    })
    assert.deepEqual([await reached('t2'), await reached('t3'), await reached(null)], [null, null, null])
    assert.equal((await month()).used, 55 + 55 + 550 + 55)
  })

  test("when the monthly and the ticket's token limit are both reached, the monthly limit is reported: it stops the whole organization", async () => {
    await limit({ monthly: 10, perTicket: 10 })
    await call(100, 't1')
    assert.deepEqual((await reached('t1'))?.until, NEXT)
  })

  test('new token limits replace the old ones at once, and a limit that is set to null no longer applies', async () => {
    await use(50)
    await limit({ monthly: 50 })
    assert.notEqual(await reached(), null)
    await limit({ monthly: 51, perTicket: 7 })
    assert.equal(await reached(), null)
    assert.deepEqual(await month(), { month: '2026-11', used: 50, monthly: 51, perTicket: 7 })
    await limit({})
    assert.deepEqual(await month(), { month: '2026-11', used: 50, monthly: null, perTicket: null })
  })

  test('tokens of a transaction that fails are not counted', async () => {
    const failed = transact(database.db, async (trx) => {
      await addToMonth(trx, 'o1', 100, AT)
      throw new Error('not stored')
    })
    await assert.rejects(failed, /not stored/)
    assert.equal((await month()).used, 0)
  })
})
