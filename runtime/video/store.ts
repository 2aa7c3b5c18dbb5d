import type { SyncStorage } from 'cloudflare:workers'
import type { AddedVideo, OwnedVideo, VideoStatus } from './types.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

export interface StoredVideo {
  id: string
  user: string
  name: string
  reservation: string
  status: VideoStatus
  seconds: number | null
  poster: string | null
  created_at: number
  checked_at: number
  checks: number
  /** When the state of the video is read from Stream next; null once it no longer changes. */
  next_at: number | null
}

/** Pauses between checks at Stream; the last pause is repeated. */
const CHECK_PAUSES_S = [15, 60, 300, 900, 3600]

/** `checks` is the number of checks so far. */
export const nextCheckAt = (checks: number, nowMs: number): number =>
  nowMs + (CHECK_PAUSES_S[Math.min(checks, CHECK_PAUSES_S.length - 1)] ?? 0) * 1000

/** The videos of the live app or of its preview. Every method is synchronous, so each is one transaction. */
export class VideoStore {
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists videos (id text primary key, user text not null, name text not null,
      reservation text not null, status text not null, seconds real, poster text, created_at integer not null,
      checked_at integer not null, checks integer not null, next_at integer) without rowid`)
    this.#runSql('create index if not exists videos_user on videos (user, created_at)')
    this.#runSql('create index if not exists videos_next on videos (next_at)')
  }

  add({ id, userId, name, reservation }: AddedVideo, nowMs: number): void {
    this.#runSql(
      `insert into videos values (?, ?, ?, ?, 'pending', null, null, ?, ?, 0, ?)`,
      id,
      userId,
      name,
      reservation,
      nowMs,
      nowMs,
      nextCheckAt(0, nowMs),
    )
  }

  find(id: string): StoredVideo | null {
    return this.#runSql<StoredVideo>('select * from videos where id = ?', id)[0] ?? null
  }

  /** Returns the videos, newest first. `userId` null selects the videos of all people. */
  list(userId: string | null, limit: number): StoredVideo[] {
    const sql = 'select * from videos where (? is null or user = ?) order by created_at desc, id limit ?'
    return this.#runSql<StoredVideo>(sql, userId, userId, limit)
  }

  count(userId: string, status: VideoStatus | null = null): number {
    const sql = 'select count(*) as n from videos where user = ? and (? is null or status = ?)'
    return Number(this.#runSql<{ n: number }>(sql, userId, status, status)[0]?.n)
  }

  due(nowMs: number, limit: number): StoredVideo[] {
    const sql = 'select * from videos where next_at <= ? order by next_at limit ?'
    return this.#runSql<StoredVideo>(sql, nowMs, limit)
  }

  nextAt(): number | null {
    const at = this.#runSql<{ at: number | null }>('select min(next_at) as at from videos')[0]?.at
    return typeof at === 'number' ? at : null
  }

  checked(
    id: string,
    next: { status: VideoStatus; checks: number; nextAt: number | null },
    nowMs: number,
  ): void {
    const sql = 'update videos set status = ?, checks = ?, next_at = ?, checked_at = ? where id = ?'
    this.#runSql(sql, next.status, next.checks, next.nextAt, nowMs, id)
  }

  ready(id: string, { seconds, poster }: { seconds: number; poster: string }, nowMs: number): void {
    const sql = `update videos set status = 'ready', seconds = ?, poster = ?, next_at = null, checked_at = ? where id = ?`
    this.#runSql(sql, seconds, poster, nowMs, id)
  }

  remove(id: string): void {
    this.#runSql('delete from videos where id = ?', id)
  }
}

export const toOwnedVideo = ({
  id,
  user,
  name,
  status,
  seconds,
  poster,
  created_at,
}: StoredVideo): OwnedVideo => ({
  id,
  userId: user,
  name,
  status,
  seconds,
  posterUrl: poster,
  createdAt: new Date(created_at).toISOString(),
})
