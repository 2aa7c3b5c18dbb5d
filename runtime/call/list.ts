import type { SyncStorage } from 'cloudflare:workers'
import type { CallPlace } from './types.ts'

/** Each is one call to an object, and a request of a free account may make 50. */
const NEWEST = 40

/**
 * The list in the directory of rooms that may have a call. The object that hosts a room knows who is in its call; when that
 * object's process ends abruptly, its line stays here until the next read of the list.
 */
export class CallList {
  readonly #sql: SyncStorage['sql']

  constructor({ sql }: SyncStorage) {
    this.#sql = sql
    sql.exec(
      'create table if not exists _calls (place text, room text, at integer not null, primary key (place, room)) without rowid',
    )
  }

  /** News may arrive late, so they change no line that was written after them. */
  note(calls: readonly CallPlace[], isOn: boolean): null {
    const change = isOn
      ? 'insert into _calls values (?, ?, ?) on conflict do update set at = max(at, excluded.at)'
      : 'delete from _calls where place = ? and room = ? and at <= ?'
    for (const { place, room, atMs } of calls) this.#sql.exec(change, place, room, atMs)
    return null
  }

  newest(): CallPlace[] {
    const rows = this.#sql
      .exec('select place, room, at from _calls order by at desc limit ?', NEWEST)
      .toArray()
    return rows.map(({ place, room, at }) => ({
      place: place as string,
      room: room as string,
      atMs: at as number,
    }))
  }
}
