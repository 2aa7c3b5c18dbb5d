import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  userId,
} from '../data/partition/objects.test.fixture.ts'
import type { Manifest } from '../kernel/manifest.ts'
import type { MeterCalls } from './types.ts'
import { calendarWindowAt } from '../kernel/window.ts'

const MANIFEST: Manifest = {
  name: 'Exports',
  migrations: [],
  collections: {},
  meters: [
    { key: 'exports', per: 'user', window: 'day', limit: 5 },
    { key: 'mails', per: 'app', window: 'day', limit: 5 },
  ],
}
const HASH = 'meters-1'
const [ADA, BOB] = [userId('a'), userId('b')]
const OWN = `data:${ADA}`

describe('the meters of an app', () => {
  let modules: ObjectModules
  let world: ObjectWorld
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
    await world.release(HASH, MANIFEST)
    for (const id of [ADA, BOB]) await world.person(id)
  })
  after(() => ObjectWorld.uninstall())

  const ask = <Kind extends keyof MeterCalls>(kind: Kind, given: MeterCalls[Kind]['ask']) =>
    world.run(world.tier().meter(HASH, kind, given))
  const consume = async (subject: string, n = 1, id?: string) => {
    const answer = await ask('consume', {
      key: 'exports',
      subject,
      n,
      ...(id !== undefined && { id }),
    } as never)
    if (answer.ok) return answer.value
    return 'error' in answer ? answer.error.code : 'unprepared'
  }
  const remaining = async (subject = ADA) => {
    const answer = await ask('peek', { key: 'exports', subject, n: 1 })
    return answer.ok ? answer.value.remaining : null
  }
  const total = () => {
    const { start } = calendarWindowAt('day', Date.now())
    return world.run(world.stub('dir').meters('sum', { key: 'exports', kind: 'day', start }))
  }

  test("units spent while the app's central Durable Object was unreachable are sent to it by the next alarm, even after a restart", async () => {
    world.before = (object, method, kind) => {
      if (object === 'dir' && method === 'meters' && kind === 'apply') throw new Error('overloaded')
    }
    await consume(ADA, 2)
    await world.settle()
    assert.equal((await total()).spent, 0)
    world.restart(OWN)
    world.before = () => {}
    await world.alarm(OWN)
    assert.deepEqual(await total(), { spent: 2, people: 1 })
  })

  test("several spends from usage meters within milliseconds are sent to the app's central Durable Object in one call", async () => {
    world.calls.length = 0
    for (let n = 0; n < 5; n++) await consume(ADA)
    await world.settle()
    assert.equal(world.calls.filter(({ method, kind }) => method === 'meters' && kind === 'apply').length, 1)
    assert.equal((await total()).spent, 5)
  })

  test('spending or reading a usage meter of an erased person fails and stores nothing', async () => {
    const gone = userId('g')
    for (const id of [undefined, 'order-1']) assert.equal(await consume(gone, 1, id), 'not_found')
    assert.equal(await remaining(gone), null)
    assert.ok(!world.tablesOf(`data:${gone}`).includes('_meters'))
    assert.ok(!world.tablesOf('dir').includes('meter_ids'))
  })

  test("units of a usage meter that are reported after their person was erased are not added to the meter's total", async () => {
    const counter = {
      key: 'exports',
      kind: 'day' as const,
      start: calendarWindowAt('day', Date.now()).start,
      spent: 3,
      rev: 1,
      kept_from: 0,
    }
    await world.run(world.stub('dir').meters('apply', { subject: userId('g'), counters: [counter] }))
    assert.deepEqual(await total(), { spent: 0, people: 0 })
  })

  test('while an app is copied to another cloud account, usage meters reject spends and refunds but can be read', async () => {
    await consume(ADA, 2, 'order-1')
    await world.run(world.stub(OWN).hold(true))
    assert.equal(await consume(ADA), 'unavailable')
    const refund = await ask('refund', { id: 'order-1' })
    assert.equal('error' in refund && refund.error.code, 'unavailable')
    assert.equal(await remaining(), 3)
    await world.run(world.stub(OWN).hold(false))
    assert.equal((await ask('refund', { id: 'order-1' })).ok, true)
    assert.equal(await remaining(), 5)
  })

  test('a spend from a usage meter that failed midway is counted once when the app repeats it with the same id', async () => {
    let isLost = true
    world.before = (object, method) => {
      // The directory has reserved the spend's id when the person's Durable Object becomes unreachable.
      if (object === OWN && method === 'meter' && isLost) {
        isLost = false
        throw new Error('overloaded')
      }
    }
    await assert.rejects(consume(ADA, 2, 'order-1'), /overloaded/)
    for (let times = 0; times < 2; times++)
      assert.deepEqual(await consume(ADA, 2, 'order-1'), {
        ok: true,
        remaining: 3,
        resetsAt: '2026-11-21T00:00:00.000Z',
      })
    assert.equal(await consume(BOB, 2, 'order-1'), 'conflict')
    assert.equal(await remaining(BOB), 5)
  })

  test('the id that an app gives to a spend from a usage meter is not stored as plain text in any Durable Object', async () => {
    await consume(ADA, 1, 'ada@example.test')
    await world.settle()
    for (const name of ['dir', OWN])
      for (const table of world.tablesOf(name).filter((one) => one.includes('meter')))
        assert.ok(!JSON.stringify(world.rowsOf(name, `select * from ${table}`)).includes('ada@'), table)
  })

  test('units of a usage meter for the whole app are counted for the app, whatever subject the call names', async () => {
    for (const subject of ['app', ADA, undefined])
      assert.equal((await ask('consume', { key: 'mails', subject, n: 1 } as never)).ok, true)
    const left = await ask('peek', { key: 'mails', subject: 'app', n: 1 })
    assert.equal(left.ok && left.value.remaining, 2)
    assert.ok(!world.tablesOf(OWN).includes('_meters'))
  })
})
