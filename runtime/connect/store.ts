import type { SyncStorage } from 'cloudflare:workers'
import type { Connection } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

export interface StoredConnection extends Connection {
  sealed: string
  /** When the access token expires; null when it never does or the provider does not say. */
  expiresAt: number | null
}

const CONNECTION_COLUMNS = 'provider, sealed, expires_at as expiresAt, status, linked_at as linkedAt'

/** Stores the connections of one person. Every method is synchronous, so each is one transaction. */
export class ConnectionStore {
  readonly #runSql: RunSql
  #hasConnectionsTable = false

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
  }

  #hasTable(): boolean {
    this.#hasConnectionsTable ||= hasTable(this.#runSql, '_connections')
    return this.#hasConnectionsTable
  }

  keep({ provider, sealed, expiresAt, status, linkedAt }: StoredConnection): void {
    this.#runSql(`create table if not exists _connections (provider text primary key, sealed text not null,
      expires_at integer, status text not null, linked_at text not null) without rowid`)
    const sql = 'insert or replace into _connections values (?, ?, ?, ?, ?)'
    this.#runSql(sql, provider, sealed, expiresAt, status, linkedAt)
  }

  /** Applies `change`, unless the connection has changed since `known` was read. */
  change(known: StoredConnection, change: Partial<StoredConnection>): void {
    if (this.find(known.provider)?.sealed === known.sealed) this.keep({ ...known, ...change })
  }

  find(provider: string): StoredConnection | null {
    return this.all().find((one) => one.provider === provider) ?? null
  }

  all(): StoredConnection[] {
    if (!this.#hasTable()) return []
    return this.#runSql<StoredConnection>(`select ${CONNECTION_COLUMNS} from _connections order by provider`)
  }

  /** Removes a connection to a service. Does nothing when the person has connected the service again in the meantime. */
  remove({ provider, linkedAt }: StoredConnection): void {
    this.#runSql('delete from _connections where provider = ? and linked_at = ?', provider, linkedAt)
  }
}
