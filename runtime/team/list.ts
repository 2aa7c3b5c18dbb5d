import type { SyncStorage } from 'cloudflare:workers'
import type { StoredTeam, TeamCopy, TeamDump } from './store.ts'
import type { ListedTeam } from './types.ts'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import { type RunSql, sqlRunner } from '../kernel/objects/sql.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** Calls about teams to the directory, the Durable Object that lists the people and teams of an app. */
export interface TeamListCalls {
  /** Lists a team that is about to be created. Returns false while the app is being moved to another cloud account. */
  reserve: { ask: StoredTeam; answer: boolean }
  apply: { ask: TeamCopy; answer: void }
  take: { ask: TeamDump; answer: void }
  known: { ask: { id: string }; answer: boolean }
  newest: { ask: { limit: number }; answer: ListedTeam[] }
  ids: { ask: null; answer: string[] }
  inviting: { ask: { email: string }; answer: string[] }
  remove: { ask: { id: string }; answer: void }
  forget: { ask: { userId: string }; answer: void }
}

/**
 * The directory's list of teams. Only ids in this list exist. A team is listed with a `rev` below 0 before
 * its own Durable Object is created, because `apply` ignores the state of an unlisted team.
 */
export class TeamList {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    this.#runSql(`create table if not exists teams (id text primary key, name text not null, members integer not null,
      created_at text not null, created_by text, rev integer not null) without rowid`)
    this.#runSql('create index if not exists teams_newest on teams (created_at, id)')
    this.#runSql(`create table if not exists team_invites (team text not null, id text not null, email text,
      expires_at text not null, primary key (team, id)) without rowid`)
    this.#runSql(
      'create index if not exists team_invites_email on team_invites (email) where email is not null',
    )
  }

  /** Reserves the id of a team. When creating the team is interrupted, the reservation is deleted after a day. */
  reserve({ id, name, createdAt, createdBy }: StoredTeam): void {
    const stale = new Date(Date.parse(createdAt) - DAY_MS).toISOString()
    this.#runSql('delete from teams where rev < 0 and created_at < ?', stale)
    this.#runSql('insert or ignore into teams values (?, ?, 0, ?, ?, -1)', id, name, createdAt, createdBy)
  }

  /** Stores the current state of a team. Ignores an older state, and the state of a team that was removed. */
  apply({ id, name, members, createdBy, rev, invites }: TeamCopy): void {
    this.#storage.transactionSync(() => {
      const update =
        'update teams set name = ?, members = ?, created_by = ?, rev = ? where id = ? and rev < ? returning id'
      if (this.#runSql(update, name, members, createdBy, rev, id, rev).length > 0)
        this.#setInvites(id, invites)
    })
  }

  take({ team, members, invites }: TeamDump): void {
    this.#storage.transactionSync(() => {
      const { id, name, createdAt, createdBy } = team
      const insert = 'insert or replace into teams values (?, ?, ?, ?, ?, 0)'
      this.#runSql(insert, id, name, members.length, createdAt, createdBy)
      this.#setInvites(
        id,
        invites.map(({ id: invite, email, claimed_by, expires_at }) => ({
          id: invite,
          email: email ?? claimed_by ?? null,
          expiresAt: expires_at,
        })),
      )
    })
  }

  #setInvites(team: string, invites: TeamCopy['invites']): void {
    this.#runSql('delete from team_invites where team = ?', team)
    for (const { id, email, expiresAt } of invites)
      this.#runSql('insert into team_invites values (?, ?, ?, ?)', team, id, email, expiresAt)
  }

  /** Removes the ids that a person has reserved for teams that were never created. */
  forget(userId: string): void {
    this.#runSql('delete from teams where rev < 0 and created_by = ?', userId)
  }

  known(id: string): boolean {
    return this.#runSql('select 1 from teams where id = ?', id).length > 0
  }

  newest(limit: number, at: string): ListedTeam[] {
    return this.#runSql<ListedTeam>(
      `select id, name, members, created_at as createdAt, created_by as createdBy,
         (select count(*) from team_invites i where i.team = teams.id and i.expires_at > ?) as pendingInvites
       from teams where rev >= 0 order by created_at desc, id desc limit ?`,
      at,
      limit,
    )
  }

  ids(): string[] {
    return this.#runSql<{ id: string }>('select id from teams order by id').map(({ id }) => id)
  }

  inviting(email: string): string[] {
    const sql = 'select distinct team from team_invites where email = ?'
    return this.#runSql<{ team: string }>(sql, email).map(({ team }) => team)
  }

  remove(id: string): void {
    this.#storage.transactionSync(() => {
      this.#runSql('delete from team_invites where team = ?', id)
      this.#runSql('delete from teams where id = ?', id)
    })
  }
}

export function teamListHandlers(storage: SyncStorage, isHeld: () => boolean): HandlersOf<TeamListCalls> {
  const teams = new TeamList(storage)
  return {
    reserve: (team) => {
      if (isHeld()) return false
      teams.reserve(team)
      return true
    },
    apply: (copy) => teams.apply(copy),
    take: (dump) => teams.take(dump),
    known: ({ id }) => teams.known(id),
    newest: ({ limit }) => teams.newest(limit, new Date().toISOString()),
    ids: () => teams.ids(),
    inviting: ({ email }) => teams.inviting(email),
    remove: ({ id }) => teams.remove(id),
    forget: ({ userId }) => teams.forget(userId),
  }
}
