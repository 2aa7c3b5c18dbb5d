import type { SyncStorage } from 'cloudflare:workers'

/**
 * `Row` is the type of the selected rows, which is not checked. Without it no column of the result can be read, so that a query whose
 * columns are used names their types.
 */
export type RunSql = <Row = unknown>(sql: string, ...values: unknown[]) => Row[]

/** Returns a function that runs SQL statements on a Durable Object's database. */
export const sqlRunner =
  (storage: SyncStorage): RunSql =>
  <Row>(sql: string, ...values: unknown[]) =>
    storage.sql.exec<Row>(sql, ...values).toArray()

/** Returns whether a table exists. Do not cache the result: deleting the Durable Object's storage removes all tables. */
export const hasTable = (runSql: RunSql, name: string): boolean =>
  runSql("select 1 from sqlite_master where type = 'table' and name = ?", name).length > 0
