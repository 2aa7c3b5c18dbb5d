import type { SyncStorage } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/calls.ts'

/** A place in a team is reserved for this long for a person who is about to join. */
const RESERVED_MS = 60_000

/** Calls of the object of a person about their teams. */
export interface MembershipCalls {
  /** Reserves a place in one more team. False when the person has as many as allowed, or does not exist. */
  reserve: { ask: { team: string; max: number }; answer: boolean }
  release: { ask: { team: string }; answer: void }
  /** The team's own statement whether the person is a member. False when the person does not exist. */
  told: { ask: { team: string; isMember: boolean; rev: number; isGone: boolean }; answer: boolean }
  /** The teams of the person as far as this object knows; the teams themselves decide. */
  list: { ask: null; answer: string[] }
  /** Also teams that the person has left, because those may hold their records. */
  ever: { ask: null; answer: string[] }
  /** Stores that a page of the person follows the records of a team, so that its sockets can be found. */
  follow: { ask: { team: string }; answer: void }
  /** Teams whose records pages of the person may follow. */
  followed: { ask: null; answer: string[] }
  dump: { ask: null; answer: MembershipDump | null }
  restore: { ask: MembershipDump; answer: void }
}

export type MembershipDump = { team: string; is_in: number; rev: number }[]

/**
 * Which teams a person is in, in the person's own object: a copy of what the teams' objects have decided, and the only place that
 * counts them. Every method is synchronous, so each is one transaction.
 */
export class Memberships {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  #run<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  // Not cached: the object may have been emptied meanwhile.
  #has(table: '_teams' | '_team_pages'): boolean {
    return this.#run("select 1 from sqlite_master where type = 'table' and name = ?", table).length > 0
  }

  #make(): void {
    // The row of a team that was left stays, with `is_in` 0 and nothing reserved.
    this.#run(`create table if not exists _teams (team text primary key, is_in integer not null,
      reserved_at integer, was_in integer not null, rev integer not null) without rowid`)
  }

  reserve(team: string, max: number, nowMs: number): boolean {
    return this.#storage.transactionSync(() => {
      this.#make()
      const since = nowMs - RESERVED_MS
      const sql = 'select count(*) as n from _teams where team <> ? and (is_in = 1 or reserved_at > ?)'
      if (Number(this.#run(sql, team, since)[0]?.['n']) >= max) return false
      this.#run(
        `insert into _teams values (?, 0, ?, 0, -1) on conflict (team) do update set reserved_at = excluded.reserved_at`,
        team,
        nowMs,
      )
      return true
    })
  }

  release(team: string): void {
    if (!this.#has('_teams')) return
    this.#run('update _teams set reserved_at = null where team = ?', team)
    this.#run('delete from _teams where team = ? and is_in = 0 and was_in = 0', team)
  }

  /** A statement older than the last one is ignored. */
  told({ team, isMember, rev, isGone }: MembershipCalls['told']['ask']): void {
    this.#storage.transactionSync(() => {
      this.#make()
      this.#run(
        `insert into _teams values (?, ?, null, 1, ?) on conflict (team) do update
         set is_in = excluded.is_in, reserved_at = null, was_in = 1, rev = excluded.rev where excluded.rev >= rev`,
        team,
        Number(isMember),
        rev,
      )
      if (isGone) this.#run('delete from _teams where team = ?', team)
    })
  }

  list(): string[] {
    return this.#teams('where is_in = 1 or reserved_at is not null')
  }

  ever(): string[] {
    return this.#teams('')
  }

  #teams(which: string): string[] {
    if (!this.#has('_teams')) return []
    return this.#run(`select team from _teams ${which} order by team`).map(({ team }) => team as string)
  }

  follow(team: string): void {
    this.#run('create table if not exists _team_pages (team text primary key) without rowid')
    this.#run('insert or ignore into _team_pages values (?)', team)
  }

  followed(): string[] {
    if (!this.#has('_team_pages')) return []
    return this.#run('select team from _team_pages').map(({ team }) => team as string)
  }

  dump(): MembershipDump | null {
    if (!this.#has('_teams')) return null
    return this.#run<MembershipDump[number]>('select team, is_in, rev from _teams')
  }

  restore(teams: MembershipDump): void {
    this.#storage.transactionSync(() => {
      this.#make()
      for (const { team, is_in, rev } of teams)
        this.#run('insert or replace into _teams values (?, ?, null, 1, ?)', team, is_in, rev)
    })
  }
}

/** Nothing is stored for a person who does not exist. */
export function membershipHandlers(storage: SyncStorage, exists: () => boolean): HandlersOf<MembershipCalls> {
  const memberships = new Memberships(storage)
  return {
    reserve: ({ team, max }) => exists() && memberships.reserve(team, max, Date.now()),
    release: ({ team }) => memberships.release(team),
    told: (ask) => {
      if (!exists()) return false
      memberships.told(ask)
      return true
    },
    list: () => memberships.list(),
    ever: () => memberships.ever(),
    follow: ({ team }) => {
      if (exists()) memberships.follow(team)
    },
    followed: () => memberships.followed(),
    dump: () => memberships.dump(),
    restore: (dump) => memberships.restore(dump),
  }
}
