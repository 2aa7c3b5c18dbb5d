import type { SyncStorage } from 'cloudflare:workers'
import { ApiError } from '../errors.ts'
import { hasTable, sqlRunner } from './sql.ts'

/**
 * Stores whether a Durable Object rejects changes because its data is being copied to another cloud account. The value survives a restart
 * of the object.
 */
export class Hold {
  readonly #storage: SyncStorage
  #isHeld: boolean | null = null

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  set(isHeld: boolean): void {
    this.#storage.sql.exec('create table if not exists _hold (held integer not null)')
    this.#storage.sql.exec('delete from _hold')
    if (isHeld) this.#storage.sql.exec('insert into _hold values (1)')
    this.#isHeld = isHeld
  }

  get isHeld(): boolean {
    this.#isHeld ??= this.#readHold()
    return this.#isHeld
  }

  require(): void {
    if (this.isHeld) throw heldError()
  }

  #readHold(): boolean {
    const runSql = sqlRunner(this.#storage)
    return hasTable(runSql, '_hold') && runSql('select 1 from _hold').length > 0
  }
}

export const heldError = (): ApiError =>
  new ApiError(
    'unavailable',
    'The app is being moved and accepts no changes right now. Try again in a few minutes.',
  )
