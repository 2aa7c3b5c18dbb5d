import type { SyncStorage } from 'cloudflare:workers'
import type { CallLocation } from './types.ts'

/**
 * The maximum number of rooms to ask whether they have a call. Asking a room is a subrequest, and on the free
 * plan of Cloudflare a worker may make 50 subrequests per request.
 */
const LISTED_MAX = 40

/**
 * The rooms that may have a call, stored in the directory. Only the Durable Object of a room knows who is in
 * its call. When that object is killed, the row of its room stays here until `runningCalls` asks the object and
 * learns that the call has no participants.
 */
export class CallList {
  readonly #sql: SyncStorage['sql']

  constructor({ sql }: SyncStorage) {
    this.#sql = sql
    sql.exec(
      'create table if not exists _calls (place text, room text, at integer not null, primary key (place, room)) without rowid',
    )
  }

  /** Messages may arrive late, so a message changes only rows that are older than the message. */
  record(calls: readonly CallLocation[], isOn: boolean): null {
    const change = isOn
      ? 'insert into _calls values (?, ?, ?) on conflict do update set at = max(at, excluded.at)'
      : 'delete from _calls where place = ? and room = ? and at <= ?'
    for (const { place, room, atMs } of calls) this.#sql.exec(change, place, room, atMs)
    return null
  }

  forget(place: string): null {
    this.#sql.exec('delete from _calls where place = ?', place)
    return null
  }

  newest(): CallLocation[] {
    const rows = this.#sql
      .exec<{ place: string; room: string; at: number }>(
        'select place, room, at from _calls order by at desc limit ?',
        LISTED_MAX,
      )
      .toArray()
    return rows.map(({ place, room, at }) => ({ place, room, atMs: at }))
  }
}
