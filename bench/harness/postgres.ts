import { join } from 'node:path'
import { Client } from 'pg'
import { pino } from 'pino'
import { startEmbedded } from '../../server/db/embedded.ts'
import { CACHE_FOLDER } from './folders.ts'

/**
 * The one database server that all sides of a comparison use, started by the product's own launcher. The
 * product and the programs of bench/ceilings both read its address from DATABASE_URL.
 */
export interface Server {
  pid(): number
  urlOf(database: string): string
  /** Creates a database with the template's rows. */
  copy(template: string): Promise<Copy>
  stop(): Promise<void>
}

export interface Copy {
  url: string
  drop(): Promise<void>
}

const RUN_PREFIX = 'bench_run_'

export async function startServer(): Promise<Server> {
  const embedded = await startEmbedded({ dataDir: CACHE_FOLDER, log: pino({ level: 'silent' }) })
  const urlOf = (database: string) => {
    const url = new URL(embedded.adminUrl)
    url.pathname = `/${database}`
    return url.href
  }
  // An interrupted run does not reach `stop`, so kill the server here.
  const end = () => {
    const pid = embedded.pid()
    if (pid !== null) process.kill(pid, 'SIGINT')
  }
  process.once('exit', end)
  await dropAbandoned(urlOf('postgres'))
  let copies = 0
  return {
    pid: () => embedded.pid() ?? 0,
    urlOf,
    async copy(template) {
      const name = `${RUN_PREFIX}${process.pid}_${++copies}`
      await runStatements(urlOf('postgres'), [
        `create database ${name} template ${template} strategy file_copy`,
      ])
      // Write the copy to disk now: otherwise the first checkpoint during the measurement would do this.
      await runStatements(urlOf(name), ['checkpoint'])
      return {
        url: urlOf(name),
        drop: async () => {
          await runStatements(urlOf('postgres'), [`drop database ${name} with (force)`])
        },
      }
    },
    async stop() {
      process.off('exit', end)
      await embedded.stop()
    },
  }
}

/** Runs statements one after the other on one connection; returns the rows of the last. */
export async function runStatements<Row extends object>(url: string, statements: string[]): Promise<Row[]> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}

/**
 * Returns the median time in milliseconds to commit an empty transaction to disk. A write over a single connection takes mostly this time.
 */
export async function emptyCommitMs(url: string): Promise<number> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const times: number[] = []
    for (let i = 0; i < 200; i++) {
      const began = performance.now()
      await client.query('begin; select pg_current_xact_id(); commit')
      times.push(performance.now() - began)
    }
    return times.sort((a, b) => a - b)[100] ?? 0
  } finally {
    await client.end()
  }
}

// Drops the copies of an earlier run that was killed.
async function dropAbandoned(adminUrl: string): Promise<void> {
  const names = await runStatements<{ datname: string }>(adminUrl, [
    `select datname from pg_database where datname like '${RUN_PREFIX.replaceAll('_', '\\_')}%'`,
  ])
  await runStatements(
    adminUrl,
    names.map(({ datname }) => `drop database ${datname} with (force)`),
  )
}

/** The folder of the product's migrations. A seeded template is recreated when the migrations change. */
export const MIGRATIONS_FOLDER = join(import.meta.dirname, '../../server/db/migrations')
