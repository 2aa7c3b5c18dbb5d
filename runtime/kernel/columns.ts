import type { SyncStorage } from 'cloudflare:workers'

/** For tables that an earlier version made. `columns` are SQL definitions by name. */
export function addColumns(
  storage: SyncStorage,
  table: string,
  columns: Readonly<Record<string, string>>,
): void {
  const sql = "select sql from sqlite_master where type = 'table' and name = ?"
  const declared = String(storage.sql.exec(sql, table).toArray()[0]?.['sql'] ?? '')
  for (const [name, definition] of Object.entries(columns))
    if (!new RegExp(`\\b${name}\\b`).test(declared))
      storage.sql.exec(`alter table ${table} add column ${name} ${definition}`)
}
