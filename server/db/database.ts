import { Kysely, PostgresDialect, type Transaction } from 'kysely'
import { DatabaseError, defaults, Pool, types, type PoolConfig } from 'pg'
import type { Logger } from 'pino'
import { namedSql } from './named-sql.ts'
import type { Schema } from './schema.ts'

/** The main connection pool. Each statement is its own transaction and may run on another connection than the previous one. */
export type Db = Kysely<Schema>
/**
 * One open transaction. The changes of a function with a `Trx` parameter are committed together with those of its
 * caller. A function that takes `Db | Trx` may also be called outside a transaction.
 */
export type Trx = Transaction<Schema>

export interface Database {
  db: Db
  pool: Pool
  /** A separate pool for long responses (`readCursor`), which must not occupy the connections that other requests wait for. */
  streamPool: Pool
  url: string
  close(): Promise<void>
}

// Otherwise the driver writes a time in the zone of the process with an offset in whole minutes. Before standard time, offsets had seconds,
// so that the due date of a ticket moved by up to a minute each time when the ticket was changed.
defaults.parseInputDatesAsUTC = true

const INT8_OID = 20

/** Parses an int8 as a number. Throws beyond 2^53, because a number could not represent the value exactly. */
export function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`int8 ${text} does not fit a number`)
  return value
}

const getTypeParser = ((oid: number, format?: 'text' | 'binary') =>
  oid === INT8_OID && format !== 'binary'
    ? parseInt8
    : types.getTypeParser(oid, format)) as typeof types.getTypeParser

/** The options of every connection. `keepAlive` detects a server that no longer responds. */
export function connectionOptions(url: string): PoolConfig {
  return {
    connectionString: url,
    application_name: 'slipway',
    keepAlive: true,
    connectionTimeoutMillis: 2000,
    types: { getTypeParser },
  }
}

/**
 * Opens the connection pools. Lock and statement timeouts are short, so that a request that has to wait for a locked
 * row fails quickly.
 */
export function openDatabase(options: { url: string; log: Logger }): Database {
  const pool = openPool(options, { max: 10, idle_in_transaction_session_timeout: 15_000 })
  // Postgres ends the transaction of a stream when nothing was read for a minute. The client has then probably
  // disconnected, and the open snapshot prevents Postgres from removing old rows.
  const streamPool = openPool(options, { max: 4, idle_in_transaction_session_timeout: 60_000 })
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) })
  return {
    db,
    pool,
    streamPool,
    url: options.url,
    close: async () => void (await Promise.all([db.destroy(), streamPool.end()])),
  }
}

function openPool(options: { url: string; log: Logger }, config: PoolConfig): Pool {
  const pool = new Pool({
    ...connectionOptions(options.url),
    statement_timeout: 10_000,
    lock_timeout: 3000,
    ...config,
  })
  // Without these listeners a lost connection (57P01) ends the whole process.
  pool.on('error', (error) => options.log.warn({ err: error }, 'idle database connection lost'))
  pool.on('connect', (client) =>
    client.on('error', (error) => options.log.debug({ err: error }, 'database connection lost')),
  )
  return pool
}

const RETRIED_STATES = new Set(['40001', '40P01'])
const RETRIES_MAX = 3

/** Runs `work` in one transaction and retries it after a serialization failure or deadlock. */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let repeat = 0; ; repeat++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (repeat >= RETRIES_MAX || !RETRIED_STATES.has(databaseErrorCode(error) ?? '')) throw error
    }
  }
}

const preparedNames = new Map<string, string>()

/**
 * Declares a frequent statement as a prepared statement, which Postgres plans once per connection. It has named
 * parameters (`:id`). Each `name` must belong to one statement, because pg refuses to run other SQL under a name that
 * a connection has already used.
 */
export function preparedQuery<Row, Params extends object>(
  name: string,
  sql: string,
): (pool: Pool, params: Params) => Promise<Row[]> {
  if (preparedNames.has(name)) throw new Error(`prepared statement ${name} is declared twice`)
  preparedNames.set(name, sql)
  const { text, values } = namedSql<Params>(sql)
  return async (pool, params) => (await pool.query({ name, text, values: values(params) })).rows as Row[]
}

/** Returns the SQLSTATE of a Postgres error or the code of a system error; null for any other error. */
export function databaseErrorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Returns what the row refers to that could not be inserted, because it does not exist; null for any other error. */
export const missingParent = (error: unknown): string | null =>
  /_(project|ticket)_id_fkey$/.exec(brokenReference(error))?.[1] ?? null

/** Returns whether a row could not be inserted because its organization, or the person who makes it, was deleted meanwhile. */
export const isMemberMissing = (error: unknown): boolean =>
  // The domains of single sign-on refer to a provider by a column of this name.
  /^(?!sso_domains)\w+_(org_id|created_by|approved_by)_fkey$/.test(brokenReference(error))

/** Returns the name of the foreign key that a row violates; empty for any other error. */
const brokenReference = (error: unknown): string =>
  error instanceof DatabaseError && error.code === '23503' ? (error.constraint ?? '') : ''

// 57014 means that a statement took too long, 55P03 that it waited too long for a lock.
const UNAVAILABLE_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ENOENT',
  'ETIMEDOUT',
  '57014',
  '55P03',
])
// Errors to which pg gives no code: the pool is exhausted, a connect timed out, or a connection was lost during a query.
const UNAVAILABLE_MESSAGES =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error)/

/** Returns whether an error means that the database is unavailable, so that the caller should retry later. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = databaseErrorCode(error)
  if (code === null) return UNAVAILABLE_MESSAGES.test(error.message)
  // ENOENT means that the socket is missing only if `connect` failed; otherwise a file is missing.
  if (code === 'ENOENT') return 'syscall' in error && error.syscall === 'connect'
  return UNAVAILABLE_CODES.has(code) || /^(08|57P|53)/.test(code)
}
