import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { Alarms } from '../kernel/objects/alarms.ts'
import { Hold } from '../kernel/objects/hold.ts'
import type { Manifest } from '../kernel/manifest.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { MigrationSweep } from './migration-sweep.ts'
import { DirectoryStore } from './store.ts'

const AT = '2026-11-20T00:00:00.000Z'
const PEOPLE = Array.from({ length: 45 }, (_, i) => `u_${String(i).padStart(2, '0')}`)

const releaseWith = (...ids: string[]): Manifest => ({
  name: 'App',
  migrations: ids.map((id) => ({ id, collection: 'notes', steps: [] })),
  collections: {},
})

/** A migration sweep with real tables and with fake partitions, which apply the migrations that it requests. */
class World {
  readonly #storage = {
    ...memoryStorage(),
    setAlarm: async () => {},
    deleteAll: async () => {},
  }
  readonly applied = new Map<string, string[]>()
  readonly failing = new Set<string>()
  readonly errors: unknown[] = []
  asked: string[] = []
  hold!: Hold
  directory!: DirectoryStore
  #alarms!: Alarms
  #sweep!: MigrationSweep

  constructor() {
    this.restart()
    // Creates the alarms table, which `alarm` reads.
    this.#alarms.set('reindex', 0)
    this.activate('none', releaseWith())
    for (const partition of PEOPLE) this.send(partition)
  }

  restart(): void {
    this.directory = new DirectoryStore(this.#storage)
    this.hold = new Hold(this.#storage)
    this.#alarms = new Alarms(this.#storage)
    this.#sweep = new MigrationSweep({
      backlog: this.directory.backlog,
      alarms: this.#alarms,
      hold: this.hold,
      migrate: async (partition, _hash, manifest) => {
        this.asked.push(partition)
        if (this.failing.has(partition)) throw new Error('broken')
        const ids = manifest.migrations.map(({ id }) => id)
        const applied = [...new Set([...(this.applied.get(partition) ?? []), ...ids])]
        this.applied.set(partition, applied)
        return applied
      },
      report: (error) => this.errors.push(error),
    })
  }

  activate(hash: string, manifest: Manifest): void {
    this.directory.prepare(hash, manifest, AT)
    this.directory.activate(hash)
    this.#sweep.start()
  }

  send(partition: string, seq = 1): void {
    const applied = this.applied.get(partition)
    const migrations = applied === undefined ? {} : { migrations: JSON.stringify(applied) }
    this.directory.apply(partition, { to: seq, ops: [], ...migrations })
  }

  waiting(): unknown[] {
    return this.#storage.sql
      .exec<{ partition: string }>('select partition from backlog')
      .toArray()
      .map(({ partition }) => partition)
  }

  /** Runs the next alarm now, without waiting for its time. Returns the partitions that were called. */
  async alarm(): Promise<string[]> {
    this.asked = []
    const [due] = this.#storage.sql
      .exec<{ at: number }>("select at from _alarms where kind = 'migrations'")
      .toArray()
    if (due !== undefined) await this.#alarms.wake({ migrations: () => this.#sweep.wake() }, due.at)
    return this.asked
  }

  async alarmsToEnd(): Promise<number[]> {
    const counts: number[] = []
    for (;;) {
      const { length } = await this.alarm()
      if (length === 0) return counts
      counts.push(length)
      assert.ok(counts.length < 50, 'the sweep never ends')
    }
  }
}

describe('migrating all Durable Objects after a release', () => {
  let world: World
  beforeEach(() => {
    world = new World()
  })

  test('activating a release with migrations migrates the Durable Object of each person once, 20 per alarm', async () => {
    world.activate('one', releaseWith('a'))
    assert.deepEqual(await world.alarmsToEnd(), [20, 20, 5])
    assert.deepEqual([...world.applied.keys()].toSorted(), PEOPLE)
    world.activate('one', releaseWith('a'))
    assert.deepEqual(await world.alarmsToEnd(), [])
  })

  test('activating a release without migrations calls no Durable Object to migrate it', async () => {
    world.activate('one', releaseWith())
    assert.deepEqual(await world.alarmsToEnd(), [])
  })

  test('a Durable Object that has already migrated, because a user opened it, is not called again', async () => {
    for (const partition of PEOPLE.slice(0, 30)) {
      world.applied.set(partition, ['a'])
      world.send(partition, 2)
    }
    world.activate('one', releaseWith('a'))
    world.applied.set(PEOPLE[30]!, ['a'])
    world.send(PEOPLE[30]!, 2)
    assert.deepEqual(await world.alarm(), PEOPLE.slice(31))
  })

  test('after a restart, the migration continues with the Durable Objects that remain', async () => {
    world.activate('one', releaseWith('a'))
    const first = await world.alarm()
    world.restart()
    assert.deepEqual([...first, ...(await world.alarm()), ...(await world.alarm())], PEOPLE)
  })

  test('a rollback to the previous release neither stops nor restarts a migration that is still running', async () => {
    world.activate('one', releaseWith('a'))
    await world.alarmsToEnd()
    world.activate('two', releaseWith('a', 'b'))
    await world.alarm()
    world.activate('one', releaseWith('a'))
    assert.deepEqual(await world.alarmsToEnd(), [20, 5])
    assert.ok(PEOPLE.every((partition) => world.applied.get(partition)?.includes('b')))
    world.activate('two', releaseWith('a', 'b'))
    assert.deepEqual(await world.alarmsToEnd(), [])
  })

  test('a newer release also migrates the Durable Objects that were already migrated for the previous release', async () => {
    world.activate('one', releaseWith('a'))
    await world.alarm()
    world.activate('two', releaseWith('a', 'b'))
    assert.deepEqual(await world.alarmsToEnd(), [20, 20, 5])
    assert.ok(PEOPLE.every((partition) => world.applied.get(partition)?.length === 2))
  })

  test('when two releases with different migrations are activated in turn, only Durable Objects that lack one of the migrations are called', async () => {
    world.activate('one', releaseWith('a', 'b'))
    await world.alarm()
    world.activate('two', releaseWith('a', 'c'))
    assert.deepEqual(await world.alarmsToEnd(), [20, 20, 5])
    world.activate('one', releaseWith('a', 'b'))
    assert.deepEqual(await world.alarmsToEnd(), [20, 5])
  })

  test('a Durable Object that fails to migrate does not delay the others, and is skipped after five attempts until the next activation', async () => {
    world.failing.add('u_00')
    world.activate('one', releaseWith('a'))
    await world.alarmsToEnd()
    assert.equal(world.applied.size, 44)
    assert.equal(world.errors.length, 5)
    world.failing.clear()
    world.activate('one', releaseWith('a'))
    assert.deepEqual(await world.alarmsToEnd(), [1])
  })

  test("a migration neither calls the Durable Object of an erased person nor keeps the person's id", async () => {
    world.activate('one', releaseWith('a'))
    world.directory.forget('u_00')
    assert.ok(!world.waiting().includes('u_00'))
    assert.deepEqual(await world.alarm(), PEOPLE.slice(1, 21))
  })

  test('no Durable Object is migrated while an app is copied to another cloud account, and all are migrated afterwards', async () => {
    world.activate('one', releaseWith('a'))
    world.hold.set(true)
    assert.deepEqual(await world.alarm(), [])
    world.hold.set(false)
    assert.deepEqual(await world.alarmsToEnd(), [20, 20, 5])
  })

  test('a Durable Object that an earlier version listed without its applied migrations is migrated by the next release', async () => {
    const storage = memoryStorage()
    storage.sql.exec('create table applied (partition text primary key, seq integer) without rowid')
    storage.sql.exec("insert into applied values ('u_00', 7)")
    const { backlog } = new DirectoryStore(storage)
    assert.deepEqual(backlog.next(9), [])
    const directory = new DirectoryStore(storage)
    directory.prepare('one', releaseWith('a'), AT)
    assert.deepEqual(directory.backlog.next(9), ['u_00'])
  })
})
