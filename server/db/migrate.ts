import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, DatabaseError, type Pool } from 'pg'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import { connectionOptions } from './database.ts'
import { LOCK_CLASS } from './locks.ts'

/** Thrown when this release cannot migrate the database. The message is one sentence for the operator. */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError'
}

export interface Migration {
  number: number
  name: string
  sql: string
  sha256: string
}

const MIGRATIONS_FOLDER = new URL('migrations/', import.meta.url)
const OLDEST_SERVER = 150_000
const WAIT_LOG_MS = 5000
const WAIT_MS_MAX = 120_000

/**
 * Migrates a database to this release's schema, including the job library's schema. Several processes may call it at
 * once: one migrates, the others wait. `through` is the number of the last migration to apply, for restoring a backup
 * of an older release.
 */
export async function migrate(options: {
  url: string
  log: Logger
  folder?: URL
  through?: number
}): Promise<void> {
  const migrations = (await readMigrations(options.folder)).slice(0, options.through)
  const client = new Client({ ...connectionOptions(options.url), application_name: 'slipway migrate' })
  // Postgres releases the lock when this connection ends, even when the process dies.
  client.on('error', (error) => options.log.warn({ err: error }, 'migration connection lost'))
  await client.connect()
  try {
    await refuseOldServer(client)
    await takeLock(client, options.log)
    await applyMissing(client, migrations, options.log)
    await installJobSchema(client)
  } finally {
    await client.end()
  }
}

/**
 * Returns the migrations in the order of their numbers. Throws `MigrationRefusedError` when a number is missing or
 * a file name has another form.
 */
export async function readMigrations(folder: URL = MIGRATIONS_FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (file, index) => {
      const [, digits, name] = /^(\d{4})_([a-z0-9_]+)\.sql$/.exec(file) ?? []
      if (digits === undefined || name === undefined || Number(digits) !== index + 1) {
        throw new MigrationRefusedError(
          `The migration files are incomplete: ${file} should be number ${index + 1}, written NNNN_name.sql.`,
        )
      }
      const sql = await readFile(new URL(file, folder), 'utf8')
      return { number: index + 1, name, sql, sha256: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** Returns whether every migration of this release was applied. Throws when the database is not available. */
export async function isMigrated(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ number: number }>('select max(number) as number from schema_migrations')
  return (rows[0]?.number ?? 0) >= (await readMigrations()).length
}

async function refuseOldServer(client: Client): Promise<void> {
  const { rows } = await client.query<{ version: string }>(
    `select current_setting('server_version_num') as version`,
  )
  if (Number(rows[0]?.version) < OLDEST_SERVER) {
    throw new MigrationRefusedError(`Slipway needs Postgres 15 or newer; this server is ${rows[0]?.version}.`)
  }
}

// Tries to take the lock again and again instead of waiting for it in Postgres, so that a log entry can report that
// another process holds it for a long time.
async function takeLock(client: Client, log: Logger): Promise<void> {
  const begun = performance.now()
  let nextLogMs = WAIT_LOG_MS
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(
      `select pg_try_advisory_lock(${LOCK_CLASS.migrate}, 0) as taken`,
    )
    if (rows[0]?.taken === true) return
    const waitedMs = performance.now() - begun
    if (waitedMs > WAIT_MS_MAX) {
      throw new MigrationRefusedError('Another process has been migrating this database for two minutes.')
    }
    if (waitedMs > nextLogMs) {
      nextLogMs += WAIT_LOG_MS
      log.info('waiting for another process to finish migrating the database')
    }
    await sleep(50)
  }
}

/** Returns the migrations that were applied to this database, in their order. */
export async function readAppliedMigrations(client: Client): Promise<Omit<Migration, 'sql'>[]> {
  const { rows } = await client.query<Omit<Migration, 'sql'>>(
    'select number, name, sha256 from schema_migrations order by number',
  )
  return rows
}

async function applyMissing(client: Client, migrations: Migration[], log: Logger): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    number integer primary key,
    name text not null,
    sha256 text not null,
    applied_at timestamptz(3) not null default now(),
    took_ms integer not null
  )`)
  const rows = await readAppliedMigrations(client)
  const applied = new Map(rows.map((row) => [row.number, row]))
  refuseForeignHistory(migrations, rows)
  for (const migration of migrations) {
    if (!applied.has(migration.number)) await applyMigration(client, migration, log)
  }
}

function refuseForeignHistory(migrations: Migration[], applied: Omit<Migration, 'sql'>[]): void {
  for (const [index, row] of applied.entries()) {
    const file = migrations[row.number - 1]
    const title = `${row.number}_${row.name}`
    if (row.number !== index + 1) {
      throw new MigrationRefusedError(
        `The database lacks migration ${index + 1} although ${title} was applied.`,
      )
    }
    if (file === undefined) {
      throw new MigrationRefusedError(
        `The database is newer than this release: migration ${title} is unknown here, and there is no downgrade.`,
      )
    }
    if (file.sha256 !== row.sha256) {
      throw new MigrationRefusedError(
        `Migration ${title} was changed after it had been applied to this database.`,
      )
    }
  }
}

async function applyMigration(client: Client, migration: Migration, log: Logger): Promise<void> {
  const begun = performance.now()
  const alone = migration.sql.startsWith('-- no transaction')
  if (alone) await dropUnfinishedIndex(client, migration)
  else await client.query('begin')
  try {
    await client.query(migration.sql)
    const tookMs = Math.round(performance.now() - begun)
    await client.query(
      'insert into schema_migrations (number, name, sha256, took_ms) values ($1, $2, $3, $4)',
      [migration.number, migration.name, migration.sha256, tookMs],
    )
    if (!alone) await client.query('commit')
    log.info({ migration: migration.name, tookMs }, 'database migrated')
  } catch (error) {
    if (!alone) await client.query('rollback').catch(() => {})
    const what = `Migration ${migration.number}_${migration.name} failed${alone ? '' : ' and changed nothing'}`
    throw new Error(`${what}: ${databaseErrorText(error)}`, { cause: error })
  }
}

/**
 * Returns the message and the detail of a Postgres error. The detail names the value that prevents the
 * migration.
 */
function databaseErrorText(error: unknown): string {
  const { message } = error as Error
  return error instanceof DatabaseError && error.detail !== undefined
    ? `${message}. ${error.detail}`
    : message
}

// A `create index concurrently` that failed or was interrupted leaves an invalid index under its name, which would make
// the next attempt fail.
async function dropUnfinishedIndex(client: Client, { sql }: Migration): Promise<void> {
  const name = /create (?:unique )?index concurrently (?:if not exists )?(\w+)/i.exec(sql)?.[1]
  if (name !== undefined) await client.query(`drop index concurrently if exists ${name}`)
}

// Installs the tables of the job library. The caller holds the migration lock, because the job library itself would
// let two processes install them at once.
async function installJobSchema(client: Client): Promise<void> {
  const boss = new PgBoss({
    db: {
      executeSql: async (text, values) => ({ rows: (await client.query(text, values)).rows as unknown[] }),
    },
    supervise: false,
    schedule: false,
  })
  await boss.start()
  await boss.stop({ graceful: false, close: false })
}
