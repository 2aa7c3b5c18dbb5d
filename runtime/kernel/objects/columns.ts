import type { SyncStorage } from 'cloudflare:workers'

/** Adds missing columns to a table that an earlier version created. `columns` maps names to SQL definitions. */
export function addColumns(
  storage: SyncStorage,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  const sql = "select sql from sqlite_master where type = 'table' and name = ?"
  const declared = storage.sql.exec<{ sql: string }>(sql, table).toArray()[0]?.sql ?? ''
  for (const [name, definition] of Object.entries(columns))
    if (!new RegExp(`\\b${name}\\b`).test(declared))
      storage.sql.exec(`alter table ${table} add column ${name} ${definition}`)
}
