import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  teamId,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { MeterCalls } from './types.ts'

const MANIFEST: Manifest = {
  name: 'Exports',
  migrations: [],
  collections: {},
  meters: [
    { key: 'exports', per: 'user', window: 'day', limit: 5 },
    { key: 'mails', per: 'app', window: 'day', limit: 5 },
    { key: 'seats', per: 'team', window: 'lifetime', limit: 5 },
  ],
}
// The meters of a release are cached by its hash for the life of the process, which other test files share.
const HASH = 'meters-2'
const [ADA, BOB] = [userId('a'), userId('b')]
const TOMORROW = '2026-11-21T00:00:00.000Z'
const left = (remaining: number, ok = true) => ({ ok, remaining, resetsAt: TOMORROW })
const NO_SUCH_OWNER = { code: 'not_found', message: 'This person or team does not exist.' }
const NOTHING_SPENT = {
  code: 'not_found',
  message: 'Nothing was spent under this id in the last 24 hours.',
}
const invalid = (field: string, problem: string) => ({
  code: 'invalid_request',
  message: `${field}: ${problem}`,
  field,
})

describe('the calls about meters in the live worker', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  let ada: string
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
    ada = await world.person(ADA)
    await world.person(BOB)
  })
  after(() => ObjectWorld.uninstall())

  /** Returns the result of a call: its value or its error. */
  async function ask<Kind extends keyof MeterCalls>(kind: Kind, asked: MeterCalls[Kind]['ask'], hash = HASH) {
    const answer = await world.run(world.tier().meter(hash, kind, asked))
    if (answer.ok) return answer.value
    return 'error' in answer ? answer.error : 'unprepared'
  }
  const consume = (key: string, subject: unknown, n: unknown = 1, id: string | null = null) =>
    ask('consume', { key, subject: subject as string, n: n as number, id })
  const peek = (key: string, subject: unknown, n: unknown = 1) =>
    ask('peek', { key, subject: subject as string, n: n as number })

  test('a usage meter per person gives each person an allowance, and a meter of the app has one allowance for everyone', async () => {
    assert.deepEqual(
      [await consume('exports', ADA, 3), await consume('exports', BOB), await peek('exports', ADA, 3)],
      [left(2), left(4), left(2, false)],
    )
    assert.deepEqual(
      [await consume('mails', ADA, 2), await consume('mails', BOB, 2), await peek('mails', 'anything')],
      [left(3), left(1), left(1)],
    )
  })

  test('spending more units of a usage meter than are left takes none', async () => {
    assert.deepEqual(await consume('exports', ADA, 6), left(5, false))
    assert.deepEqual(await consume('exports', ADA, 5), left(0))
    assert.deepEqual(await consume('exports', ADA), left(0, false))
  })

  test('a spend from a usage meter counts once when it is repeated with its id, and again after a refund', async () => {
    const order = () => consume('exports', ADA, 2, 'order 1')
    assert.deepEqual([await order(), await order()], [left(3), left(3)])
    assert.deepEqual(await ask('refund', { id: 'order 1' }), left(5))
    assert.deepEqual([await ask('refund', { id: 'order 1' }), await order()], [left(5), left(3)])
  })

  test('the id of a spend is valid for one usage meter and one person only, and is not stored in plain text', async () => {
    await consume('exports', ADA, 1, 'ada@example.test')
    const taken = {
      code: 'conflict',
      message: 'id: was already used for another spend',
      field: 'id',
    }
    assert.deepEqual(await consume('exports', BOB, 1, 'ada@example.test'), taken)
    assert.deepEqual(await consume('mails', ADA, 1, 'ada@example.test'), taken)
    assert.deepEqual([await peek('exports', BOB), await peek('mails', '')], [left(5), left(5)])
    for (const name of ['dir', `data:${ADA}`])
      for (const table of world.tablesOf(name))
        if (table.includes('meter'))
          assert.ok(
            !JSON.stringify(world.rowsOf(name, `select * from ${table}`)).includes('example.test'),
            table,
          )
  })

  test('a spend from a usage meter that failed after its id was reserved counts when it is repeated', async () => {
    world.before = (object, method, kind) => {
      if (object === `data:${ADA}` && method === 'meter' && kind === 'consume')
        throw new Error('The object restarts.')
    }
    await assert.rejects(consume('exports', ADA, 2, 'order 1'), { message: 'The object restarts.' })
    world.before = () => {}
    assert.deepEqual(await ask('refund', { id: 'order 1' }), NOTHING_SPENT)
    assert.deepEqual(await consume('exports', ADA, 2, 'order 1'), left(3))
  })

  test('a spend from a usage meter that was never made cannot be refunded', async () => {
    assert.deepEqual(await ask('refund', { id: 'order 1' }), NOTHING_SPENT)
    await consume('exports', ADA, 6, 'too much')
    assert.deepEqual(await ask('refund', { id: 'too much' }), NOTHING_SPENT)
    assert.deepEqual(await peek('exports', ADA), left(5))
  })

  test('a usage meter refuses an invalid key, subject, amount or id, and counts nothing', async () => {
    const key = invalid('key', 'is no meter of this app; app.json declares them')
    for (const given of ['other', '', 'toString', null, 5])
      assert.deepEqual(await peek(given as string, ADA), key)
    const person = invalid('subject', 'must be the id of a user')
    for (const subject of ['', 'ada', teamId('a'), null, 5, [ADA]])
      assert.deepEqual(await consume('exports', subject), person)
    const team = invalid('subject', 'must be the id of a team')
    for (const subject of ['', ADA, null]) assert.deepEqual(await consume('seats', subject), team)
    const amount = invalid('n', 'must be a whole number from 1 to 1000000000')
    for (const n of [0, -1, 1.5, '1', null, Number.NaN, 1_000_000_001]) {
      assert.deepEqual(await consume('exports', ADA, n), amount, String(n))
      assert.deepEqual(await peek('exports', ADA, n), amount, String(n))
    }
    const id = invalid('id', 'must have 1 to 200 characters')
    for (const given of ['', 'x'.repeat(201), 5 as unknown as string]) {
      assert.deepEqual(await consume('exports', ADA, 1, given), id)
      assert.deepEqual(await ask('refund', { id: given }), id)
    }
    assert.deepEqual([await peek('exports', ADA), await peek('mails', '')], [left(5), left(5)])
  })

  test('a usage meter counts and stores nothing for a person or a team that does not exist', async () => {
    const [nobody, noTeam] = [userId('z'), teamId('z')]
    for (const id of [null, 'order 1']) {
      assert.deepEqual(await consume('exports', nobody, 1, id), NO_SUCH_OWNER)
      assert.deepEqual(await consume('seats', noTeam, 1, id), NO_SUCH_OWNER)
    }
    assert.deepEqual(
      [await peek('exports', nobody), await peek('seats', noTeam)],
      [NO_SUCH_OWNER, NO_SUCH_OWNER],
    )
    assert.deepEqual([world.tablesOf(`data:${nobody}`), world.tablesOf(`data:${noTeam}`)], [[], []])
  })

  test("a person can read the remaining units of their own and the app's usage meters, but not of a team's", async () => {
    await consume('exports', ADA, 2)
    await consume('exports', BOB, 1)
    await consume('mails', '', 4)
    const remaining = (key: string, session = ada) => ask('remaining', { key, session })
    assert.deepEqual([await remaining('exports'), await remaining('mails')], [left(3), left(1)])
    const refusal = invalid('key', 'is counted per team: read it in server code with meter.peek')
    assert.deepEqual(await remaining('seats'), refusal)
    const signedOut = { code: 'unauthorized', message: 'Sign in first.' }
    for (const session of ['', 'nonsense', ada.slice(0, -1)])
      assert.deepEqual(await remaining('exports', session), signedOut)
  })

  test("the operator's limit of a usage meter replaces the release's limit, even below the amount already spent", async () => {
    await consume('exports', ADA, 3)
    world.env['METER_LIMITS'] = JSON.stringify({ exports: 10, mails: 0, seats: -1 })
    assert.deepEqual([await peek('exports', ADA), await peek('mails', '')], [left(7), left(0, false)])
    world.env['METER_LIMITS'] = JSON.stringify({ exports: 2 })
    assert.deepEqual(await peek('exports', ADA), left(0, false))
  })

  test('a usage meter call with a release that the Durable Objects do not know returns `unprepared`', async () => {
    assert.equal(await ask('peek', { key: 'exports', subject: ADA, n: 1 }, 'meters-3'), 'unprepared')
  })

  test("during an app's move to another cloud account, usage meters can be read, but nothing can be spent or refunded", async () => {
    await consume('exports', ADA, 1, 'order 1')
    await world.run(world.stub(`data:${ADA}`).hold(true))
    const code = async (asked: Promise<unknown>) => Reflect.get((await asked) as object, 'code') as string
    assert.deepEqual(
      [
        await code(consume('exports', ADA)),
        await code(ask('refund', { id: 'order 1' })),
        await peek('exports', ADA),
      ],
      ['unavailable', 'unavailable', left(4)],
    )
  })
})
