import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { silentLog, testDatabase, type TestDatabase } from '../testing/database.ts'
import { undoAfter } from '../testing/undo.ts'
import { migrate, MigrationRefusedError } from './migrate.ts'

async function emptyDatabase(t: TestContext): Promise<TestDatabase> {
  const database = await testDatabase({ empty: true })
  undoAfter(t, () => database.drop())
  return database
}

/** Uses these migration files instead of the release's files. Returns a function that runs them. */
async function ownMigrations(t: TestContext, files: Record<string, string>) {
  const dir = await mkdtemp(join(tmpdir(), 'slipway-migrations-'))
  undoAfter(t, () => rm(dir, { recursive: true }))
  const writeMigration = (name: string, sql: string) => writeFile(join(dir, name), sql)
  for (const [name, sql] of Object.entries(files)) await writeMigration(name, sql)
  const folder = pathToFileURL(`${dir}/`)
  return {
    dir,
    folder,
    write: writeMigration,
    run: (url: string) => migrate({ url, log: silentLog, folder }),
  }
}

const TWO = { '0001_a.sql': 'create table a (id integer)', '0002_b.sql': 'create table b (id integer)' }

async function appliedNames(database: TestDatabase): Promise<string[]> {
  const { rows } = await database.pool.query<{ name: string }>(
    'select name from schema_migrations order by number',
  )
  return rows.map((row) => row.name)
}

test('every migration is applied once, and a second start changes nothing', async (t) => {
  const database = await emptyDatabase(t)
  await migrate({ url: database.url, log: silentLog })
  const first = (await database.pool.query('select * from schema_migrations order by number')).rows
  await migrate({ url: database.url, log: silentLog })
  assert.deepEqual((await database.pool.query('select * from schema_migrations order by number')).rows, first)
  assert.equal((first[0] as { name: string }).name, 'auth')
  await database.pool.query('select from pgboss.job')
})

test('processes that start at the same time apply each migration once', async (t) => {
  const database = await emptyDatabase(t)
  const starts = Array.from({ length: 4 }, () => migrate({ url: database.url, log: silentLog }))
  await Promise.all(starts)
  const files = await readdir(new URL('migrations/', import.meta.url))
  assert.deepEqual(
    await appliedNames(database),
    files.sort().map((file) => file.slice('0001_'.length, -'.sql'.length)),
  )
})

test('a new migration file is applied on top of the existing schema', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, TWO)
  await own.run(database.url)
  await own.write('0003_c.sql', '-- no transaction\ncreate index concurrently a_id on a (id)')
  await own.run(database.url)
  assert.deepEqual(await appliedNames(database), ['a', 'b', 'c'])
})

test('a migration file that was changed after it was applied aborts the startup', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, TWO)
  await own.run(database.url)
  await own.write('0001_a.sql', 'create table a (id bigint)')
  await assert.rejects(own.run(database.url), (error: unknown) => {
    assert.ok(error instanceof MigrationRefusedError)
    assert.match(error.message, /1_a was changed/)
    return true
  })
})

test('a database with newer migrations than the release aborts the startup', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, TWO)
  await own.run(database.url)
  await rm(join(own.dir, '0002_b.sql'))
  await assert.rejects(own.run(database.url), /newer than this release: migration 2_b/)
})

test('a gap in the migration files or in the applied migrations aborts the startup', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, TWO)
  await own.run(database.url)
  await database.pool.query('delete from schema_migrations where number = 1')
  await assert.rejects(own.run(database.url), /lacks migration 1 /)
  await rm(join(own.dir, '0001_a.sql'))
  await assert.rejects(own.run(database.url), /0002_b.sql should be number 1/)
})

test('a failed migration is rolled back, and the migrations before it remain applied', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, { ...TWO, '0002_b.sql': 'create table b (id integer); select 1 / 0' })
  await assert.rejects(own.run(database.url), /Migration 2_b failed and changed nothing: division by zero/)
  const { rows } = await database.pool.query(
    `select to_regclass('a') is not null as a, to_regclass('b') is not null as b`,
  )
  assert.deepEqual(rows, [{ a: true, b: false }])
  await own.write('0002_b.sql', TWO['0002_b.sql'])
  await own.run(database.url)
  assert.deepEqual(await appliedNames(database), ['a', 'b'])
})

test('a concurrent index build that failed is repeated at the next start', async (t) => {
  const database = await emptyDatabase(t)
  const own = await ownMigrations(t, {
    '0001_a.sql': 'create table a (id integer); insert into a values (1), (1)',
    '0002_b.sql': '-- no transaction\ncreate unique index concurrently a_id on a (id)',
  })
  const isValid = async () =>
    (await database.pool.query(`select indisvalid from pg_index where indexrelid = to_regclass('a_id')`)).rows
  const unique =
    /^Migration 2_b failed: could not create unique index "a_id". Key \(id\)=\(1\) is duplicated.$/
  await assert.rejects(own.run(database.url), { message: unique })
  assert.deepEqual(await isValid(), [{ indisvalid: false }])
  await database.pool.query('delete from a')
  await own.run(database.url)
  assert.deepEqual(await isValid(), [{ indisvalid: true }])
  assert.deepEqual(await appliedNames(database), ['a', 'b'])
})

test('the next start applies a migration whose process was killed midway', async (t) => {
  const database = await emptyDatabase(t)
  const slow = 'create table b (id integer); select pg_sleep(0.8)'
  const own = await ownMigrations(t, { ...TWO, '0002_b.sql': slow })
  const script = `
    import { pino } from 'pino'
    import { migrate } from ${JSON.stringify(import.meta.resolve('./migrate.ts'))}
    await migrate({ url: process.env.TEST_URL, log: pino({ level: 'silent' }), folder: new URL(process.env.TEST_FOLDER) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    env: { ...process.env, TEST_URL: database.url, TEST_FOLDER: own.folder.href },
    stdio: 'inherit',
  })
  const ended = once(child, 'exit')
  const isSleeping = async () => {
    const { rowCount } = await database.pool.query(
      `select from pg_stat_activity where datname = current_database() and query like '%pg_sleep%' and pid <> pg_backend_pid()`,
    )
    return rowCount === 1
  }
  while (!(await isSleeping())) await sleep(10)
  child.kill('SIGKILL')
  await ended
  await own.run(database.url)
  assert.deepEqual(await appliedNames(database), ['a', 'b'])
})
