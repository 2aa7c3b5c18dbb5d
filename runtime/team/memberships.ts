import type { SyncStorage } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/calls.ts'

/** How long a place in a team is reserved for a person who is joining. */
const RESERVED_MS = 60_000

/** Calls to a person's object about their teams. */
export interface MembershipCalls {
  /** Reserves a membership in one more team. Returns false when the person has the maximum number of teams, or does not exist. */
  reserve: { ask: { team: string; max: number }; answer: boolean }
  release: { ask: { team: string }; answer: void }
  /** Called by the team's object when a membership changes. Returns false when the person does not exist. */
  told: { ask: { team: string; isMember: boolean; rev: number; isGone: boolean }; answer: boolean }
  /** Returns the person's teams as this object knows them. The teams' own objects decide. */
  list: { ask: null; answer: string[] }
  /** Returns the person's teams, including those they have left, because these may hold their records. */
  ever: { ask: null; answer: string[] }
  /** Records that the person's pages have a socket to a team's records, so that the sockets can be found. */
  follow: { ask: { team: string }; answer: void }
  /** Returns the teams to whose records the person's pages may have a socket. */
  followed: { ask: null; answer: string[] }
  dump: { ask: null; answer: MembershipDump | null }
  restore: { ask: MembershipDump; answer: void }
}

export type MembershipDump = { team: string; is_in: number; rev: number }[]

/**
 * The teams of a person, in the person's object: a copy of what the teams' objects have decided. Only this object counts a person's teams.
 * Every method is synchronous, so each is one transaction.
 */
export class Memberships {
  readonly #storage: SyncStorage

  constructor(storage: SyncStorage) {
    this.#storage = storage
  }

  #run<Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  // Not cached, because the object may have been emptied since.
  #has(table: '_teams' | '_team_pages'): boolean {
    return this.#run("select 1 from sqlite_master where type = 'table' and name = ?", table).length > 0
  }

  #make(): void {
    // The row of a team that the person left stays, with `is_in` 0 and no reservation.
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

  /** Stores whether the person is in a team. Ignores a message older than the last one. */
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

  /** The revision becomes 0, because a moved team counts its changes from 0 again: an older number would be ignored. */
  restore(teams: MembershipDump): void {
    this.#storage.transactionSync(() => {
      this.#make()
      for (const { team, is_in } of teams)
        this.#run('insert or replace into _teams values (?, ?, null, 1, 0)', team, is_in)
    })
  }
}

/** Stores nothing for a person who does not exist. */
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
