import type { SyncStorage } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

/** How long a reservation counts toward the limit on teams per person while the person is joining a team. */
const RESERVATION_MS = 60_000

/** Calls to a person's Durable Object about their teams. */
export interface MembershipCalls {
  /** Reserves a membership in one more team. Returns false when the person has the maximum number of teams, or does not exist. */
  reserve: { ask: { team: string; max: number }; answer: boolean }
  release: { ask: { team: string }; answer: void }
  /** Called by the team's object when a membership changes. Returns false when the person does not exist. */
  told: { ask: { team: string; isMember: boolean; rev: number; isGone: boolean }; answer: boolean }
  /** Returns the person's teams, including reserved ones. May be outdated: only a team's own object decides who is a member. */
  list: { ask: null; answer: string[] }
  /** Returns the person's teams, including former teams, because these may still have records of the person. */
  ever: { ask: null; answer: string[] }
  /** Records that a page of the person opened a socket to a team, so that signing out can close it there. */
  follow: { ask: { team: string }; answer: void }
  /** Returns the teams to which pages of the person may have an open socket. */
  followed: { ask: null; answer: string[] }
  dump: { ask: null; answer: MembershipDump | null }
  restore: { ask: MembershipDump; answer: void }
}

export type MembershipDump = { team: string; is_in: number; rev: number }[]

/**
 * The teams of a person, in the person's Durable Object. The memberships are copies: each team's own object decides who is a member. This
 * object checks the limit on teams per person. Every method is synchronous, so each is one transaction.
 */
export class Memberships {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
  }

  #createTable(): void {
    // A team that the person left keeps its row, because `allTeams` returns it: `is_in` is 0 and `reserved_at` null.
    this.#runSql(`create table if not exists _teams (team text primary key, is_in integer not null,
      reserved_at integer, was_in integer not null, rev integer not null) without rowid`)
  }

  reserve(team: string, max: number, nowMs: number): boolean {
    return this.#storage.transactionSync(() => {
      this.#createTable()
      const since = nowMs - RESERVATION_MS
      const sql = 'select count(*) as n from _teams where team <> ? and (is_in = 1 or reserved_at > ?)'
      if (Number(this.#runSql<{ n: number }>(sql, team, since)[0]?.n) >= max) return false
      this.#runSql(
        `insert into _teams values (?, 0, ?, 0, -1) on conflict (team) do update set reserved_at = excluded.reserved_at`,
        team,
        nowMs,
      )
      return true
    })
  }

  release(team: string): void {
    if (!hasTable(this.#runSql, '_teams')) return
    this.#runSql('update _teams set reserved_at = null where team = ?', team)
    this.#runSql('delete from _teams where team = ? and is_in = 0 and was_in = 0', team)
  }

  /** Stores whether the person is in a team. Ignores a message older than the last one. */
  setMembership({ team, isMember, rev, isGone }: MembershipCalls['told']['ask']): void {
    this.#storage.transactionSync(() => {
      this.#createTable()
      this.#runSql(
        `insert into _teams values (?, ?, null, 1, ?) on conflict (team) do update
         set is_in = excluded.is_in, reserved_at = null, was_in = 1, rev = excluded.rev where excluded.rev >= rev`,
        team,
        Number(isMember),
        rev,
      )
      if (isGone) this.#runSql('delete from _teams where team = ?', team)
    })
  }

  list(): string[] {
    return this.#teamIds('where is_in = 1 or reserved_at is not null')
  }

  allTeams(): string[] {
    return this.#teamIds('')
  }

  #teamIds(which: string): string[] {
    if (!hasTable(this.#runSql, '_teams')) return []
    const sql = `select team from _teams ${which} order by team`
    return this.#runSql<{ team: string }>(sql).map(({ team }) => team)
  }

  follow(team: string): void {
    this.#runSql('create table if not exists _team_pages (team text primary key) without rowid')
    this.#runSql('insert or ignore into _team_pages values (?)', team)
  }

  followed(): string[] {
    if (!hasTable(this.#runSql, '_team_pages')) return []
    return this.#runSql<{ team: string }>('select team from _team_pages').map(({ team }) => team)
  }

  dump(): MembershipDump | null {
    if (!hasTable(this.#runSql, '_teams')) return null
    return this.#runSql<MembershipDump[number]>('select team, is_in, rev from _teams')
  }

  /**
   * Stores revision 0: in the new account a team counts its changes from 0 again, and `setMembership` ignores a revision below the stored
   * one.
   */
  restore(teams: MembershipDump): void {
    this.#storage.transactionSync(() => {
      this.#createTable()
      for (const { team, is_in } of teams)
        this.#runSql('insert or replace into _teams values (?, ?, null, 1, 0)', team, is_in)
    })
  }
}

/** Handles calls about a person's teams. `reserve`, `told` and `follow` store nothing for a person who does not exist. */
export function membershipHandlers(storage: SyncStorage, exists: () => boolean): HandlersOf<MembershipCalls> {
  const memberships = new Memberships(storage)
  return {
    reserve: ({ team, max }) => exists() && memberships.reserve(team, max, Date.now()),
    release: ({ team }) => memberships.release(team),
    told: (ask) => {
      if (!exists()) return false
      memberships.setMembership(ask)
      return true
    },
    list: () => memberships.list(),
    ever: () => memberships.allTeams(),
    follow: ({ team }) => {
      if (exists()) memberships.follow(team)
    },
    followed: () => memberships.followed(),
    dump: () => memberships.dump(),
    restore: (dump) => memberships.restore(dump),
  }
}
