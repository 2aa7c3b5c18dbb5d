import type { SyncStorage } from 'cloudflare:workers'
import type { MessageDump } from '../kernel/objects/messages.ts'
import type { Device } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

const DEVICES_MAX = 10

export interface PushDump {
  devices: Device[]
  waiting: MessageDump | null
}

/**
 * The devices of one person, in the Durable Object of that person. Every method is synchronous, so each is
 * one transaction.
 */
export class Devices {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  // Checked every time, because the Durable Object's storage, with this table, may have been deleted since.
  get #isThere(): boolean {
    return hasTable(this.#runSql, '_push_devices')
  }

  /** Adds a device or updates its keys. Returns the ids of the oldest devices, which were removed to make room. */
  add({ id, endpoint, host, keys }: Device): string[] {
    return this.#storage.transactionSync(() => {
      this.#runSql(`create table if not exists _push_devices (seq integer primary key autoincrement, id text not null unique,
        endpoint text not null, host text not null, p256dh text not null, auth text not null)`)
      // Remove a known device first, so that adding it again makes it the newest.
      this.remove(id)
      this.#runSql(
        'insert into _push_devices (id, endpoint, host, p256dh, auth) values (?, ?, ?, ?, ?)',
        id,
        endpoint,
        host,
        keys.p256dh,
        keys.auth,
      )
      const surplus = this.list().slice(0, -DEVICES_MAX)
      for (const one of surplus) this.remove(one.id)
      return surplus.map((one) => one.id)
    })
  }

  remove(id: string): void {
    if (this.#isThere) this.#runSql('delete from _push_devices where id = ?', id)
  }

  find(id: string): Device | null {
    return this.list().find((one) => one.id === id) ?? null
  }

  /** Returns the devices in the order in which they were added. */
  list(): Device[] {
    if (!this.#isThere) return []
    return this.#runSql<Record<'id' | 'endpoint' | 'host' | 'p256dh' | 'auth', string>>(
      'select id, endpoint, host, p256dh, auth from _push_devices order by seq',
    ).map(({ p256dh, auth, ...device }) => ({ ...device, keys: { p256dh, auth } }))
  }
}
