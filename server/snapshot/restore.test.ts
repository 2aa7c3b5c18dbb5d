import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { loadKeyring, verifyKeyring } from '../crypto/keyring.ts'
import { newSecrets } from '../crypto/secrets.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { openMail, sealMail } from '../mail/content.ts'
import { silentLog, type TestDatabase, testDatabase } from '../testing/database.ts'
import { backUp } from './back-up.ts'
import type { SnapshotManifest } from './manifest.ts'
import { restore } from './restore.ts'

const now = new Date('2026-11-20T18:00:00.000Z')
const MAIL = 'mail_1'

describe('a backup of the database', () => {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-snapshot-'))
  const backup = join(folder, 'backup')
  const secretsFile = join(folder, 'secrets.json')
  const keyring = loadKeyring({ secrets: null, file: secretsFile })
  const databases: TestDatabase[] = []
  let source: TestDatabase
  let targets = 0

  const openTestDatabase = async (options: { empty?: boolean } = {}) => {
    const database = await testDatabase(options)
    databases.push(database)
    return database
  }
  const takeBackup = (
    database: TestDatabase,
    to: string,
    secrets = { text: null as string | null, file: secretsFile },
  ) => backUp({ url: database.url, dataDir: folder, secrets, folder: to, now })
  const restoreInto = (from: string, database: TestDatabase, dataDir = join(folder, `target-${++targets}`)) =>
    restore({ folder: from, dataDir, databaseUrl: database.url, log: silentLog, now })

  before(async () => {
    source = await openTestDatabase()
    await verifyKeyring(source.db, keyring, now)
    await fillDatabase(source)
    await takeBackup(source, backup)
  })
  after(async () => {
    for (const database of databases) await database.drop()
    rmSync(folder, { recursive: true })
  })

  /**
   * Rows that are hard to restore: a child before its parent, sums maintained by triggers, text that looks
   * like markup.
   */
  async function fillDatabase({ pool }: TestDatabase): Promise<void> {
    await pool.query(`
      insert into organization (id, name, slug, "createdAt") values ('org_1', E'Tab\\tand \\\\N "quote"', 'acme', now());
      insert into projects (id, org_id, name, name_fold, slug, updated_at, created_at)
        values ('prj_1', 'org_1', 'Plants', 'plants', 'plants', now(), now());
      insert into tickets (id, org_id, project_id, title, body, status, type, priority, labels, source, updated_at, created_at)
        select 'tkt_' || n, 'org_1', 'prj_1', 'Ticket ' || n, '', 'todo', 'task', 'none', '{a,"b c"}', 'human', now(), now()
        from generate_series(1, 9) n;
      update tickets set parent_id = 'tkt_9' where id = 'tkt_1';
      insert into git_objects (project_id, oid, type, data, created_at)
        values ('prj_1', 'aa', 'blob', decode('00ff0a0d5c2e', 'hex'), now());
      insert into token_usage (project_id, provider, model, input, output, reasoning, cache_read, cache_write, estimated, counted, created_at)
        select 'prj_1', 'p', 'm', 1, 1, 0, 0, 0, false, 2, now() from generate_series(1, 5);
      select pgboss.create_queue('later', '{"policy":"standard"}'::jsonb);
      insert into pgboss.job (name, data) values ('later', '{"wanted":true}');`)
    await pool.query(
      `insert into mails (id, kind, recipient, state, content, created_at, updated_at)
       values ($1, 'verify', 'ann@example.test', 'held', $2, now(), now())`,
      [MAIL, sealMail(keyring, MAIL, { subject: 's', text: 'canary', html: '' })],
    )
  }

  test('a restore brings back every row of every table, every key and trigger, and the values of the sequences', async () => {
    const target = await openTestDatabase({ empty: true })
    const manifest = await restoreInto(backup, target)
    for (const { schema, name } of manifest.tables) {
      const digest = `select count(*)::int as rows, md5(string_agg(t::text, ',' order by t::text)) as digest from ${schema}."${name}" t`
      assert.deepEqual((await target.pool.query(digest)).rows, (await source.pool.query(digest)).rows, name)
    }
    const names = manifest.tables.map(({ name }) => name)
    for (const name of ['user', 'tickets', 'git_objects', 'job', 'queue', 'processes', 'encryption_keys'])
      assert.ok(names.includes(name), name)
    // Leave out pg-boss's statistics: pg-boss adds a table for each day, and midnight may come between the two databases.
    const rules = `
      select conrelid::regclass::text || ' ' || conname || ' ' || pg_get_constraintdef(oid) || convalidated::text as rule
      from pg_constraint
      where connamespace::regnamespace::text in ('public', 'pgboss') and conrelid::regclass::text !~ 'queue_stats_\\d{8}$'
      union all
      select tgrelid::regclass::text || ' ' || tgname || ' ' || tgenabled::text from pg_trigger where not tgisinternal order by 1`
    assert.deepEqual((await target.pool.query(rules)).rows, (await source.pool.query(rules)).rows)
    const next = `select nextval(pg_get_serial_sequence('token_usage', 'id'))::int as id`
    assert.deepEqual((await target.pool.query(next)).rows, [{ id: 6 }])
  })

  test('a backup contains the secrets that decrypt its values, and a restore lets only their owner read them', async () => {
    const target = await openTestDatabase({ empty: true })
    const dataDir = join(folder, 'with-secrets')
    const copy = copyOf('opened')
    // A backup that was unpacked from an archive, or kept on a disk without permissions, may be open to every account.
    chmodSync(join(copy, 'secrets.json'), 0o644)
    await restoreInto(copy, target, dataDir)
    assert.equal(statSync(join(dataDir, 'secrets.json')).mode & 0o777, 0o600)
    const restored = loadKeyring({ secrets: null, file: join(dataDir, 'secrets.json') })
    await verifyKeyring(target.db, restored, now)
    const { rows } = await target.pool.query<{ content: string }>('select content from mails')
    assert.equal(openMail(restored, MAIL, rows[0]?.content ?? '').text, 'canary')
    assert.equal(existsSync(join(dataDir, 'restore-unfinished')), false)
  })

  test('a backup of an older release is restored as it was, and the next start migrates it', async () => {
    const through = (await readMigrations()).length - 2
    const [older, target] = [await openTestDatabase({ empty: true }), await openTestDatabase({ empty: true })]
    await migrate({ url: older.url, log: silentLog, through })
    await older.pool.query(
      `insert into organization (id, name, slug, "createdAt") values ('org_1', 'Old', 'old', now())`,
    )
    await takeBackup(older, join(folder, 'older'))
    await restoreInto(join(folder, 'older'), target)
    const countMigrations = async () => (await target.pool.query('select from schema_migrations')).rowCount
    assert.equal(await countMigrations(), through)
    await migrate({ url: target.url, log: silentLog })
    assert.equal(await countMigrations(), through + 2)
    assert.deepEqual((await target.pool.query('select name from organization')).rows, [{ name: 'Old' }])
  })

  test('a transaction committed while a backup is written is in the backup as a whole or not at all', async () => {
    const stop = new AbortController()
    let pairs = 0
    const { promise: fifth, resolve: onFifth } = Promise.withResolvers<void>()
    const writing = (async () => {
      while (!stop.signal.aborted) {
        const id = `pair_${++pairs}`
        // One transaction writes to a table that the backup reads early and to a table that it reads late.
        await source.pool.query(
          `with a as (insert into activity (id, org_id, at, provider, actor, action, target, status, created_at)
             values ('${id}', 'org_1', now(), 'slipway', 'a', 'a', 'a', 'ok', now()))
           insert into verification (id, identifier, value, "expiresAt") values ('${id}', 'i', 'v', now())`,
        )
        if (pairs === 5) onFifth()
      }
    })()
    await fifth
    await takeBackup(source, join(folder, 'moment'))
    stop.abort()
    await writing
    const target = await openTestDatabase({ empty: true })
    await restoreInto(join(folder, 'moment'), target)
    const listIds = async (table: string) =>
      (await target.pool.query(`select id from ${table} where id like 'pair%' order by id`)).rows
    const [early, late] = [await listIds('activity'), await listIds('verification')]
    assert.deepEqual(early, late)
    assert.ok(early.length >= 4 && early.length <= pairs)
  })

  test('an invalid backup is refused, with an error that names the problem, before anything is created', async () => {
    const target = await openTestDatabase({ empty: true })
    const cases: [RegExp, (copy: string) => void][] = [
      [
        /damaged: postgres\/public\.tickets\.copy\.gz has changed/,
        (copy) => flipByte(join(copy, 'postgres/public.tickets.copy.gz')),
      ],
      [
        /damaged: postgres\/public\.user\.copy\.gz has 3 bytes and should have/,
        (copy) => truncateSync(join(copy, 'postgres/public.user.copy.gz'), 3),
      ],
      [/damaged: secrets\.json is missing/, (copy) => rmSync(join(copy, 'secrets.json'))],
      [/not a complete backup: it has no manifest\.json/, (copy) => rmSync(join(copy, 'manifest.json'))],
      [/manifest\.json is not JSON/, (copy) => truncateSync(join(copy, 'manifest.json'), 100)],
      [/manifest\.json has no usable tables/, (copy) => editManifest(copy, (m) => ({ ...m, tables: 7 }))],
      [/has format 99 and this release reads 1/, (copy) => editManifest(copy, (m) => ({ ...m, format: 99 }))],
      [
        /its migration 9999_future is unknown to this release/,
        (copy) =>
          editManifest(copy, (m) => ({
            ...m,
            migrations: [...m.migrations, { number: 9999, name: 'future', sha256: '' }],
          })),
      ],
      [
        /\.\.\/outside leads out of the backup/,
        (copy) =>
          editManifest(copy, (m) => ({ ...m, files: [{ path: '../outside', bytes: 0, sha256: '' }] })),
      ],
    ]
    for (const [i, [message, damage]] of cases.entries()) {
      const copy = copyOf(`damaged-${i}`)
      damage(copy)
      const dataDir = join(folder, `never-${i}`)
      await assert.rejects(restoreInto(copy, target, dataDir), message)
      assert.equal(existsSync(dataDir), false)
    }
    assert.equal((await target.pool.query(`select from pg_tables where schemaname = 'public'`)).rowCount, 0)
  })

  test('a restore whose rows, tables or secrets do not match the snapshot is rolled back and stays marked as unfinished', async () => {
    const cases: [RegExp, (copy: string) => void][] = [
      [
        /public\.tickets\.copy\.gz holds 9 rows and should hold 8/,
        (copy) => editManifest(copy, withRows('tickets', 8)),
      ],
      [
        /with another version of the job library \(1, here \d+\)/,
        (copy) => editManifest(copy, (m) => ({ ...m, jobSchema: 1 })),
      ],
      [/it has another table public\."tickets"/, (copy) => editManifest(copy, withoutColumn('tickets'))],
      [
        /it has no table public\."tickets"/,
        (copy) =>
          editManifest(copy, (m) => ({ ...m, tables: m.tables.filter(({ name }) => name !== 'tickets') })),
      ],
      [
        /encrypted with another key k1/,
        (copy) => {
          writeFileSync(join(copy, 'secrets.json'), JSON.stringify(newSecrets()))
          editManifest(copy, (m) => ({ ...m, files: m.files.map((file) => measureFile(copy, file)) }))
        },
      ],
    ]
    for (const [i, [message, damage]] of cases.entries()) {
      const copy = copyOf(`wrong-${i}`)
      damage(copy)
      const dataDir = join(folder, `half-${i}`)
      await assert.rejects(restoreInto(copy, await openTestDatabase({ empty: true }), dataDir), message)
      assert.ok(existsSync(join(dataDir, 'restore-unfinished')))
      assert.equal(existsSync(join(dataDir, 'secrets.json')), false)
    }
  })

  test('a restore never overwrites a folder with files or a database with tables', async () => {
    await assert.rejects(takeBackup(source, backup), /^AdminError: .* is not empty\. Name a folder/)
    await assert.rejects(
      restoreInto(backup, await openTestDatabase()),
      /The database of DATABASE_URL is not empty/,
    )
    const full = join(folder, 'full')
    mkdirSync(full)
    writeFileSync(join(full, 'something'), '')
    await assert.rejects(
      restoreInto(backup, await openTestDatabase({ empty: true }), full),
      /full is not empty\. Set SLIPWAY_DATA_DIR/,
    )
  })

  test("making a backup is refused with another installation's secrets, without secrets, and for an empty database", async () => {
    const foreign = { text: JSON.stringify(newSecrets()), file: '' }
    await assert.rejects(
      takeBackup(source, join(folder, 'foreign'), foreign),
      /The secrets do not match this database/,
    )
    const none = { text: null, file: join(folder, 'none.json') }
    await assert.rejects(takeBackup(source, join(folder, 'none'), none), /There is no secrets file/)
    await assert.rejects(
      takeBackup(await openTestDatabase({ empty: true }), join(folder, 'blank')),
      /This database has no tables of Slipway/,
    )
    assert.equal(existsSync(join(folder, 'foreign/manifest.json')), false)
  })

  function copyOf(name: string): string {
    const copy = join(folder, name)
    cpSync(backup, copy, { recursive: true })
    return copy
  }
})

function flipByte(path: string): void {
  const bytes = readFileSync(path)
  const middle = bytes.length >> 1
  bytes[middle] = (bytes[middle] ?? 0) ^ 1
  writeFileSync(path, bytes)
}

function editManifest(copy: string, change: (manifest: SnapshotManifest) => object): void {
  const path = join(copy, 'manifest.json')
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, 'utf8')) as SnapshotManifest)))
}

const withRows = (name: string, rows: number) => (manifest: SnapshotManifest) => ({
  ...manifest,
  tables: manifest.tables.map((table) => (table.name === name ? { ...table, rows } : table)),
})

const withoutColumn = (name: string) => (manifest: SnapshotManifest) => ({
  ...manifest,
  tables: manifest.tables.map((table) =>
    table.name === name ? { ...table, columns: table.columns.slice(1) } : table,
  ),
})

function measureFile(
  copy: string,
  file: SnapshotManifest['files'][number],
): SnapshotManifest['files'][number] {
  const bytes = readFileSync(join(copy, file.path))
  return { ...file, bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') }
}
