import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { DataCall, StoredRecord } from '../../data/frames.ts'
import {
  importObjects,
  type ObjectModules,
  ObjectWorld,
  userId,
} from '../../data/partition/objects.test.fixture.ts'
import type { Failure, Result } from '../../kernel/errors.ts'
import type { Manifest } from '../../kernel/manifest.ts'
import type { Tier } from '../../kernel/objects/objects.ts'

const MANIFEST: Manifest = {
  name: 'Notes',
  migrations: [],
  collections: {
    plants: {
      title: 'Plants',
      partition: 'app',
      read: 'public',
      write: 'members',
      fields: { name: { type: 'text', required: true, search: true }, pot: { type: 'number', index: true } },
    },
    notes: {
      title: 'Notes',
      partition: 'user',
      read: 'owner',
      write: 'owner',
      fields: { text: { type: 'text' } },
    },
    counts: {
      title: 'Counts',
      partition: 'app',
      read: 'public',
      write: 'nobody',
      fields: { n: { type: 'number' } },
    },
  },
}
const HASH = 'release-1'

interface Addition {
  collection?: string
  partition?: string
  tier?: Tier
  isTrial?: boolean
}

const [ADA, BOB, EVE] = [userId('a'), userId('b'), userId('e')]

describe("the operator's calls to an app", () => {
  let modules: ObjectModules
  let world: ObjectWorld
  before(async () => {
    modules = await importObjects()
  })
  beforeEach(async () => {
    ObjectWorld.install()
    world = new ObjectWorld(modules)
  })
  after(() => ObjectWorld.uninstall())

  type Operator = ReturnType<ObjectWorld['operator']>

  /** Calls the operator's entrypoint. Throws a returned error with its code and field. */
  async function operate<T>(call: (operator: Operator) => Promise<Result<T>>, at = world): Promise<T> {
    const result = await at.run(call(at.operator()))
    if (result.ok) return result.value
    throw Object.assign(new Error(result.error.message), {
      code: result.error.code,
      field: result.error.field,
    })
  }

  const activate = (tier: Tier = 'production', at = world) =>
    operate((operator) => operator.activate(tier, HASH, MANIFEST), at)

  const add = (
    fields: Record<string, unknown>[],
    { collection = 'plants', partition = 'app', tier = 'production', isTrial = false }: Addition = {},
  ) =>
    operate((operator) =>
      operator.add(tier, partition, {
        collection,
        isTrial,
        records: fields.map((one, n) => ({ id: `${collection}-${tier}-${n}`, fields: one })),
      }),
    )

  const plants = (tier: Tier = 'production', at = world) =>
    operate((operator) => operator.records(tier, 'plants', 100), at)
  const namesIn = async (tier: Tier = 'production', at = world) =>
    (await plants(tier, at)).map(({ name }) => name).toSorted()
  const placeOf = (id: string, change: object = {}) => ({
    collection: 'plants',
    partition: 'app',
    id,
    ...change,
  })

  async function write(
    session: string,
    collection: string,
    fields: object,
    partition?: string,
  ): Promise<Failure | null> {
    const call = {
      kind: 'mutate',
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection, fields }],
      ...(partition !== undefined && { partition }),
    } as DataCall
    const tier = world.tier()
    let text = await world.run(tier.data(HASH, { session }, call))
    if (text.includes('unprepared')) {
      await world.run(tier.prepare(HASH, MANIFEST))
      text = await world.run(tier.data(HASH, { session }, call))
    }
    return (JSON.parse(text) as { error?: Failure }).error ?? null
  }

  test('before the first release there are no collections, and every call about records fails as not found', async () => {
    assert.deepEqual(await operate((operator) => operator.collections('production')), [])
    const calls: ((operator: Operator) => Promise<Result<unknown>>)[] = [
      (operator) => operator.records('production', 'plants', 10),
      (operator) => operator.page('production', 'plants', {}),
      (operator) => operator.search('production', 'plants', { q: 'x', limit: 10 }),
      (operator) => operator.add('production', 'app', { collection: 'plants', records: [], isTrial: true }),
      (operator) => operator.replace('production', placeOf('x'), {}),
      (operator) => operator.remove('production', placeOf('x')),
    ]
    for (const call of calls) await assert.rejects(operate(call), { code: 'not_found' })
  })

  test('collections are listed with the rules and fields that the live release declares, and with their number of records', async () => {
    await activate()
    await add([{ name: 'Fern' }, { name: 'Moss' }])
    const [first, second] = await operate((operator) => operator.collections('production'))
    assert.deepEqual(
      [first?.name, first?.title, first?.partition, first?.read, first?.write, first?.count],
      ['plants', 'Plants', 'app', 'public', 'members', 2],
    )
    assert.deepEqual(
      first?.fields.map(({ name }) => name),
      ['name', 'pot'],
    )
    assert.deepEqual([second?.name, second?.count, second?.updatedAt], ['notes', 0, null])
    const { plants: _plants, ...fewer } = MANIFEST.collections
    await operate((operator) =>
      operator.activate('production', 'release-2', { ...MANIFEST, collections: fewer }),
    )
    const names = (await operate((operator) => operator.collections('production'))).map(({ name }) => name)
    assert.deepEqual(names, ['notes', 'counts'])
    await assert.rejects(plants(), { code: 'not_found' })
    await activate()
    await world.run(world.tier().prepare('release-3', { ...MANIFEST, collections: fewer }))
    assert.deepEqual(await namesIn(), ['Fern', 'Moss'], 'a release that was prepared is not the live one')
  })

  test('the records of the live app and of its preview are kept apart', async () => {
    await activate()
    await activate('preview')
    await add([{ name: 'Fern' }])
    await add([{ name: 'Moss' }], { tier: 'preview' })
    assert.deepEqual([await namesIn(), await namesIn('preview')], [['Fern'], ['Moss']])
  })

  describe('adding records', () => {
    test('adding several records stores the valid ones, and names the invalid field of each refused record', async () => {
      await activate()
      const added = await add([{ name: 'Fern' }, { pot: 1 }, { name: 'Moss', pot: 'big' }, { name: 'Ivy' }])
      const problems = added.map((one) => ('error' in one ? [one.error.code, one.error.field] : 'stored'))
      assert.deepEqual(problems, [
        'stored',
        ['invalid_request', 'name'],
        ['invalid_request', 'pot'],
        'stored',
      ])
      assert.deepEqual(await namesIn(), ['Fern', 'Ivy'])
    })

    test('a dry run of adding records reports each invalid record and stores nothing', async () => {
      await activate()
      const trial = await add([{ name: 'Fern' }, { pot: 1 }], { isTrial: true })
      assert.deepEqual(
        trial.map((one) => 'error' in one),
        [false, true],
      )
      assert.deepEqual(await plants(), [])
    })

    test('repeating a call that adds records, as after an interruption, stores each record once', async () => {
      await activate()
      const first = await add([{ name: 'Fern' }, { name: 'Moss' }])
      const again = await add([{ name: 'Fern' }, { name: 'Moss' }])
      assert.deepEqual(again, first)
      assert.equal((await plants()).length, 2)
    })

    test('adding records to an invalid partition, or to the partition of an unknown person, is refused and creates no Durable Object', async () => {
      await activate()
      const names = world.names
      for (const partition of [EVE, 'x', 'dir', '', '__proto__'])
        await assert.rejects(
          add([{ text: 'x' }], { collection: 'notes', partition }),
          { code: /not_found|invalid_request/ },
          partition,
        )
      assert.deepEqual(world.names, names)
    })
  })

  describe('changing a record', () => {
    const ID = 'plants-production-0'
    const replace = (record: Record<string, unknown>, place = placeOf(ID)) =>
      operate((operator) => operator.replace('production', place, record))

    test('replacing a record leaves exactly the given fields, and the next list of records contains the new version', async () => {
      await activate()
      await add([{ name: 'Fern', pot: 3 }])
      const replaced = await replace({ name: 'Moss' })
      assert.deepEqual(
        [replaced['name'], replaced['pot'], replaced.rev, replaced.partition],
        ['Moss', null, 2, 'app'],
      )
      const [listed] = await plants()
      assert.deepEqual(listed, replaced)
    })

    test('replacing a record is refused for an invalid field, and for a revision number that is not the current one', async () => {
      await activate()
      await add([{ name: 'Fern' }])
      await assert.rejects(replace({ pot: 1 }), { code: 'invalid_request', field: 'name' })
      await assert.rejects(replace({ name: 'Moss', rev: 'x' }), { code: 'invalid_request', field: 'rev' })
      await replace({ name: 'Moss', rev: 1 })
      await assert.rejects(replace({ name: 'Ivy', rev: 1 }), { code: 'conflict' })
      assert.deepEqual(await namesIn(), ['Moss'])
    })

    test('the operator can replace a record that neither visitors nor members may write', async () => {
      await activate()
      await add([{ n: 1 }], { collection: 'counts' })
      const place = { collection: 'counts', partition: 'app', id: 'counts-production-0' }
      assert.equal((await replace({ n: 2 }, place))['n'], 2)
    })

    test('replacing or removing a record that does not exist fails as not found and creates no Durable Object', async () => {
      await activate()
      await add([{ name: 'Fern' }])
      const names = world.names
      const places = [
        placeOf('none-none'),
        placeOf(ID, { partition: EVE }),
        placeOf(ID, { collection: 'none' }),
        placeOf(ID, { collection: 'toString' }),
      ]
      for (const place of places) {
        await assert.rejects(replace({ name: 'x' }, place), { code: 'not_found' })
        await assert.rejects(
          operate((operator) => operator.remove('production', place)),
          { code: 'not_found' },
        )
      }
      assert.deepEqual(world.names, names)
    })

    test('removing a record takes it out of the list and out of the count, and removing it again fails as not found', async () => {
      await activate()
      await add([{ name: 'Fern' }, { name: 'Moss' }])
      const remove = () => operate((operator) => operator.remove('production', placeOf(ID)))
      assert.deepEqual(await remove(), { id: ID })
      await assert.rejects(remove(), { code: 'not_found' })
      assert.deepEqual(await namesIn(), ['Moss'])
      const collections = await operate((operator) => operator.collections('production'))
      assert.equal(collections[0]?.count, 1)
    })
  })

  test("an operator's search finds records by their text, and refuses collections without text and too long queries", async () => {
    await activate()
    await add([{ name: 'Boston fern' }, { name: 'Moss' }])
    const search = (collection: string, q: string) =>
      operate((operator) => operator.search('production', collection, { q, limit: 10 }))
    assert.deepEqual(
      (await search('plants', 'FERN')).map(({ name, partition }) => [name, partition]),
      [['Boston fern', 'app']],
    )
    assert.deepEqual(await search('plants', '"; drop'), [])
    await assert.rejects(search('counts', 'x'), { code: 'invalid_request', field: 'collection' })
    await assert.rejects(search('plants', 'x'.repeat(201)), { code: 'invalid_request', field: 'q' })
  })

  test('the id of a one-time admin token is accepted once for the live app and once for its preview', async () => {
    const spend = (tier: Tier) => world.run(world.operator().spend(tier, 'jti-1', Date.now() + 60_000))
    assert.deepEqual(
      [await spend('production'), await spend('production'), await spend('preview')],
      [true, false, true],
    )
  })

  test("changing a person's role updates the list of people, and is refused for an unknown person without creating a Durable Object", async () => {
    await activate()
    await world.person(ADA)
    const setRole = (id: string) => operate((operator) => operator.setRole('production', id, 'staff'))
    assert.equal((await setRole(ADA)).role, 'staff')
    const users = await operate((operator) => operator.users('production', 10))
    assert.deepEqual(
      users.map(({ id, role }) => [id, role]),
      [[ADA, 'staff']],
    )
    const names = world.names
    await assert.rejects(setRole(EVE), { code: 'not_found' })
    assert.deepEqual(world.names, names)
  })

  describe('moving an app', () => {
    const hold = (isHeld: boolean) => operate((operator) => operator.hold('production', isHeld))

    test('until the move of an app to another cloud account ends, the app rejects every write, even after its Durable Objects restart', async () => {
      await activate()
      const ada = await world.person(ADA)
      assert.equal(await write(ada, 'notes', { text: 'before' }, 'own'), null)
      await hold(true)
      for (const name of world.names) world.restart(name)
      const writes = () =>
        Promise.all([write(ada, 'plants', { name: 'Fern' }), write(ada, 'notes', { text: 'x' }, 'own')])
      assert.deepEqual(
        (await writes()).map((error) => error?.code),
        ['unavailable', 'unavailable'],
      )
      await world.person(BOB)
      assert.equal(await world.run(world.stub('dir').users('activate', { id: BOB })), false)
      await assert.rejects(add([{ name: 'Moss' }]), { code: 'unavailable' })
      await hold(false)
      assert.deepEqual(await writes(), [null, null])
      assert.equal(await world.run(world.stub('dir').users('activate', { id: BOB })), true)
    })

    test('a person who signs up just as the move of an app to another cloud account begins cannot write records', async () => {
      await activate()
      const arrivals: Promise<string>[] = []
      world.before = (object, method) => {
        if (object === 'dir' && method === 'hold' && arrivals.length === 0)
          return arrivals[arrivals.push(world.person(EVE)) - 1]
      }
      await hold(true)
      const [eve = ''] = await Promise.all(arrivals)
      assert.equal((await write(eve, 'notes', { text: 'late' }, 'own'))?.code, 'unavailable')
    })

    /** Copies all records and people of one app to another, as a move to another cloud account does. */
    async function copy(to: ObjectWorld): Promise<void> {
      const { release, partitions } = await operate((operator) => operator.contents('production'))
      if (release !== null)
        await operate((operator) => operator.activate('production', release.hash, release.manifest), to)
      for (const { name, head } of partitions) {
        await operate((operator) => operator.takeHead('production', name, head, release), to)
        const { rows } = await operate((operator) => operator.rows('production', name, null))
        await operate((operator) => operator.takeRows('production', name, rows), to)
      }
    }

    test('an app that was copied to another cloud account has the same records and people, even if it was copied twice', async () => {
      await activate()
      const ada = await world.person(ADA)
      await add([{ name: 'Fern', pot: 2 }, { name: 'Moss' }])
      await write(ada, 'notes', { text: 'mine' }, 'own')
      const to = new ObjectWorld(modules)
      for (let copies = 0; copies < 2; copies++) await copy(to)
      await to.settle()
      const byId = (records: StoredRecord[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepEqual(byId(await plants('production', to)), byId(await plants()))
      const notes = await operate((operator) => operator.records('production', 'notes', 10), to)
      assert.deepEqual(
        notes.map(({ text, partition, ownerId }) => [text, partition, ownerId]),
        [['mine', ADA, ADA]],
      )
      const users = await operate((operator) => operator.users('production', 10), to)
      assert.deepEqual(
        users.map(({ id }) => id),
        [ADA],
      )
    })

    test('wiping an app removes its records, people and release, and repeating a wipe that failed midway completes it', async () => {
      await activate()
      const ada = await world.person(ADA)
      await add([{ name: 'Fern' }])
      await write(ada, 'notes', { text: 'mine' }, 'own')
      const wipe = () => operate((operator) => operator.wipe('production'))
      world.before = (object, method) => {
        if (object === `data:${ADA}` && method === 'wipe') throw new Error('killed')
      }
      await assert.rejects(wipe(), /killed/)
      world.before = () => {}
      await wipe()
      assert.deepEqual(await operate((operator) => operator.collections('production')), [])
      assert.deepEqual(await operate((operator) => operator.users('production', 10)), [])
      assert.ok(!world.tablesOf(`data:${ADA}`).includes('c_notes'))
      await activate()
      assert.deepEqual(await plants(), [])
    })
  })
})
