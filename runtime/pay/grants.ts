import type { SyncStorage } from 'cloudflare:workers'
import type { Grant, GrantCalls } from './calls.ts'
import type { HandlersOf } from '../kernel/calls.ts'

/**
 * A copy of a person's entitlements in their object, so that a page needs to call only one object. The original is in the directory.
 * Nothing is stored for a person who does not exist.
 */
export function grantHandlers(storage: SyncStorage, isPerson: () => boolean): HandlersOf<GrantCalls> {
  const run = (sql: string, ...values: unknown[]) => storage.sql.exec(sql, ...values).toArray()
  // Not cached, because the object may have been emptied since.
  const stored = (): { rev: number; grants: Grant[] } => {
    if (run("select 1 from sqlite_master where name = '_grants'").length === 0) return { rev: -1, grants: [] }
    const [row] = run('select rev, json from _grants')
    return row === undefined
      ? { rev: -1, grants: [] }
      : { rev: Number(row['rev']), grants: JSON.parse(row['json'] as string) as Grant[] }
  }
  return {
    read: () => stored().grants,
    take: ({ rev, grants }) => {
      if (!isPerson() || rev <= stored().rev) return
      storage.transactionSync(() => {
        run('create table if not exists _grants (rev integer not null, json text not null)')
        run('delete from _grants')
        run('insert into _grants values (?, ?)', rev, JSON.stringify(grants))
      })
    },
  }
}
