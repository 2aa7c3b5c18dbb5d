import type { SyncStorage } from 'cloudflare:workers'
import { addColumns } from '../kernel/objects/columns.ts'
import { ApiError } from '../kernel/errors.ts'
import type { TeamInvite } from './types.ts'
import { hasTable, type RunSql, sqlRunner } from '../kernel/objects/sql.ts'

export const OWNER_ROLE = 'owner'
const INVITES_MAX = 100
const TEAM_COLUMNS = 'id, name, created_at as createdAt, created_by as createdBy'

export interface StoredMember {
  user: string
  role: string
  joined_at: string
}

interface StoredInvite {
  id: string
  hash: string
  email: string | null
  role: string
  created_at: string
  created_by: string
  expires_at: string
  /** The address of the account that was created with the invitation while sign-up was closed; null when there is none. */
  claimed_by: string | null
}

type NewInvite = Omit<StoredInvite, 'claimed_by'>

/** `createdBy` is null after the person who created the team was erased. */
export interface StoredTeam {
  id: string
  name: string
  createdAt: string
  createdBy: string | null
}

export interface MembershipMove {
  user: string
  isMember: boolean
  rev: number
}

export interface TeamCopy extends StoredTeam {
  members: number
  invites: { id: string; email: string | null; expiresAt: string }[]
  /** Increases with every change, so that an older copy which arrives late is ignored. */
  rev: number
}

type MoveRow = Omit<MembershipMove, 'isMember'> & { is_member: 0 | 1 }

/** A team's data for the move of an app to another account. */
export interface TeamDump {
  team: StoredTeam
  members: StoredMember[]
  invites: StoredInvite[]
}

/** A person who is about to accept an invitation. */
export interface Guest {
  userId: string
  email: string
  emailVerified: boolean
}

/**
 * The team, its members and its invitations, in the team's own object, which alone decides who is a member. Every method is synchronous, so
 * each is one transaction. Nothing is stored before `create`, so a call with a guessed id leaves no trace.
 */
export class TeamStore {
  readonly #storage: SyncStorage
  readonly #runSql: RunSql
  #members: Map<string, StoredMember> | null = null

  constructor(storage: SyncStorage) {
    this.#storage = storage
    this.#runSql = sqlRunner(storage)
    if (this.#hasTables) addColumns(storage, '_invites', { claimed_by: 'text' })
  }

  get #hasTables(): boolean {
    return hasTable(this.#runSql, '_team')
  }

  /** Returns whether the team exists. Also returns false for a team that is being removed. */
  get isThere(): boolean {
    return this.read() !== null
  }

  /** True when the team has ended and its removal is not complete. */
  get isEnding(): boolean {
    return this.#hasTables && this.#runSql('select 1 from _team where ended = 1').length > 0
  }

  #createTables(): void {
    this.#runSql(`create table if not exists _team (one integer primary key check (one = 1), id text not null,
      name text not null, created_at text not null, created_by text, rev integer not null, sent integer not null,
      ended integer not null)`)
    this.#runSql(`create table if not exists _members (user text primary key, role text not null,
      joined_at text not null) without rowid`)
    this.#runSql(`create table if not exists _invites (id text primary key, hash text not null unique, email text,
      role text not null, created_at text not null, created_by text not null, expires_at text not null,
      claimed_by text) without rowid`)
    // Changes of membership that the members' Durable Objects have not received yet, the latest change for each person.
    this.#runSql(`create table if not exists _moves (user text primary key, is_member integer not null,
      rev integer not null) without rowid`)
  }

  /** Creates the team with its first owner. Does not change a team that exists. */
  create({ id, name, createdAt, createdBy }: StoredTeam & { createdBy: string }): void {
    this.#changeTeam(() => {
      this.#createTables()
      const insert = 'insert or ignore into _team values (1, ?, ?, ?, ?, 0, -1, 0) returning one'
      if (this.#runSql(insert, id, name, createdAt, createdBy).length === 0) return
      this.#addMember(createdBy, OWNER_ROLE, createdAt)
    })
  }

  read(): StoredTeam | null {
    if (!this.#hasTables) return null
    return this.#runSql<StoredTeam>(`select ${TEAM_COLUMNS} from _team where ended = 0`)[0] ?? null
  }

  require(): StoredTeam {
    const team = this.read()
    if (team === null) throw noSuchTeam()
    return team
  }

  member(userId: string): StoredMember | null {
    return this.#loadMembers().get(userId) ?? null
  }

  /** Returns the members in the order in which they joined. */
  members(): StoredMember[] {
    return [...this.#loadMembers().values()]
  }

  #loadMembers(): Map<string, StoredMember> {
    if (this.#members !== null) return this.#members
    if (!this.isThere) return new Map()
    const sql = 'select user, role, joined_at from _members order by joined_at, user'
    this.#members = new Map(this.#runSql<StoredMember>(sql).map((member) => [member.user, member]))
    return this.#members
  }

  rename(name: string): void {
    this.#changeTeam(() => this.#runSql('update _team set name = ?', name))
  }

  /** Returns the open invitations, newest first. */
  invites(at: string): TeamInvite[] {
    if (!this.isThere) return []
    const columns = 'id, email, role, created_at as createdAt, expires_at as expiresAt'
    const sql = `select ${columns} from _invites where expires_at > ? order by created_at desc, id`
    return this.#runSql<TeamInvite>(sql, at)
  }

  /** Returns whether an invitation is open and has not expired. */
  isOpen(hash: string, at: string): boolean {
    if (!this.isThere) return false
    return this.#runSql('select 1 from _invites where hash = ? and expires_at > ?', hash, at).length > 0
  }

  /**
   * Returns whether an invitation admits a new account with this address. An invitation without an address admits one account; an
   * invitation with an address admits only that address.
   */
  admits(hash: string, email: string, at: string): boolean {
    if (!this.isThere) return false
    const sql =
      'select 1 from _invites where hash = ? and expires_at > ? and coalesce(email, claimed_by, ?) = ?'
    return this.#runSql(sql, hash, at, email, email).length > 0
  }

  /**
   * Reserves an invitation for the account with this address. Returns false when the invitation does not admit the account. May be
   * repeated.
   */
  claim(hash: string, email: string, at: string): boolean {
    if (!this.admits(hash, email, at)) return false
    this.#changeTeam(() => this.#runSql('update _invites set claimed_by = ? where hash = ?', email, hash))
    return true
  }

  /** Stores an invitation. Throws `conflict` when the team has `INVITES_MAX` open invitations. */
  invite({ id, hash, email, role, created_at, created_by, expires_at }: NewInvite): void {
    this.#changeTeam(() => {
      this.#runSql('delete from _invites where expires_at <= ?', created_at)
      if (this.#runSql('select 1 from _invites').length >= INVITES_MAX)
        throw new ApiError(
          'conflict',
          `A team has at most ${INVITES_MAX} open invitations. Revoke some first.`,
        )
      const insert = 'insert into _invites values (?, ?, ?, ?, ?, ?, ?, null)'
      this.#runSql(insert, id, hash, email, role, created_at, created_by, expires_at)
    })
  }

  revoke(id: string, at: string): boolean {
    return this.#changeTeam(
      () =>
        this.#runSql('delete from _invites where id = ? and expires_at > ? returning id', id, at).length > 0,
    )
  }

  /** Adds a member and uses up the invitation. Does nothing if the person is a member already, so a call may be repeated. */
  accept(hash: string, guest: Guest, maxMembers: number, at: string): void {
    if (this.member(guest.userId) !== null) return
    this.#changeTeam(() => {
      const sql = 'select * from _invites where hash = ? and expires_at > ?'
      const [invite] = this.#runSql<StoredInvite>(sql, hash, at)
      if (invite === undefined) throw noSuchInvite()
      const { id, email, role, claimed_by } = invite
      // Another person has created an account with this link, so it is used up for everyone else.
      if (claimed_by !== null && claimed_by !== guest.email) throw noSuchInvite()
      if (email !== null && email !== guest.email)
        throw new ApiError('forbidden', 'This invitation is for another email address.')
      if (email !== null && !guest.emailVerified)
        throw new ApiError('forbidden', 'Confirm your email address first; then open the invitation again.')
      if (this.#loadMembers().size >= maxMembers)
        throw new ApiError('conflict', `The team is full: it has at most ${maxMembers} members.`)
      this.#runSql('delete from _invites where id = ?', id)
      this.#addMember(guest.userId, role, at)
    })
  }

  /** Changes the role of a member. Throws when the team would have no owner left. */
  setRole(userId: string, role: string): void {
    this.#changeTeam(() => {
      const member = this.#requireMember(userId)
      if (member.role === OWNER_ROLE && role !== OWNER_ROLE) {
        this.#requireOtherOwner(userId)
        this.#endInvitesOf(userId)
      }
      this.#runSql('update _members set role = ? where user = ?', role, userId)
    })
  }

  /** Removes a member and the invitations that the member has made. Throws when the team would have no owner left. */
  remove(userId: string): void {
    this.#changeTeam(() => {
      if (this.#requireMember(userId).role === OWNER_ROLE) this.#requireOtherOwner(userId)
      this.#removeMember(userId)
    })
  }

  /**
   * Removes a person who is being erased. If no owner is left, the member who joined first becomes owner. If no member is left, the team
   * ends.
   */
  erase(userId: string, email: string | null): void {
    if (!this.isThere) return
    this.#changeTeam(() => {
      const member = this.member(userId)
      this.#runSql('delete from _invites where email = ? or claimed_by = ?', email, email)
      this.#runSql('update _team set created_by = null where created_by = ?', userId)
      if (member !== null) this.#removeMember(userId)
      const rest = this.members()
      const [heir] = rest
      if (heir === undefined) this.#endTeam()
      else if (!rest.some(({ role }) => role === OWNER_ROLE))
        this.#runSql('update _members set role = ? where user = ?', OWNER_ROLE, heir.user)
    })
  }

  /** Counts the invitations that an erasure removes: the person's own invitations, and invitations for the person's address. */
  invitesOf(userId: string, email: string | null): number {
    if (!this.isThere) return 0
    const made = this.member(userId) === null ? null : userId
    const sql = 'select 1 from _invites where email = ? or claimed_by = ? or created_by = ?'
    return this.#runSql(sql, email, email, made).length
  }

  /** Ends the team: removes all members and invitations. The team itself stays stored until all of its copies are deleted. */
  end(): void {
    this.#changeTeam(() => this.#endTeam())
  }

  #endTeam(): void {
    for (const { user } of this.members()) this.#removeMember(user)
    this.#runSql('delete from _invites')
    this.#runSql('update _team set ended = 1')
  }

  /** Returns the state of the team to send to the directory; null when the directory already has it. */
  unsent(): TeamCopy | null {
    if (!this.#hasTables) return null
    const sql = `select ${TEAM_COLUMNS}, rev from _team where sent < rev`
    const [team] = this.#runSql<StoredTeam & Pick<TeamCopy, 'rev'>>(sql)
    if (team === undefined) return null
    return { ...team, members: this.#loadMembers().size, invites: this.#copyOfInvites() }
  }

  /** Includes expired invitations: until they are deleted, erasing a person must find this team by the address in its invitations. */
  #copyOfInvites(): TeamCopy['invites'] {
    const columns = 'id, coalesce(email, claimed_by) as email, expires_at as expiresAt'
    return this.#runSql<TeamCopy['invites'][number]>(`select ${columns} from _invites`)
  }

  markSent(rev: number): void {
    if (this.#hasTables) this.#runSql('update _team set sent = ? where sent < ?', rev, rev)
  }

  moves(): MembershipMove[] {
    if (!this.#hasTables) return []
    const rows = this.#runSql<MoveRow>('select user, is_member, rev from _moves')
    return rows.map(({ user, is_member, rev }) => ({ user, isMember: is_member === 1, rev }))
  }

  markNotified({ user, rev }: MembershipMove): void {
    if (this.#hasTables) this.#runSql('delete from _moves where user = ? and rev = ?', user, rev)
  }

  dump(): TeamDump | null {
    const team = this.read()
    if (team === null) return null
    const invites = this.#runSql<StoredInvite>('select * from _invites')
    return { team, members: this.members(), invites }
  }

  /** Stores the result of `dump` after the app was copied to another account. A repeated call stores the same rows. */
  restore({ team, members, invites }: TeamDump): void {
    this.#changeTeam(() => {
      this.#createTables()
      const { id, name, createdAt, createdBy } = team
      this.#runSql(
        'insert or ignore into _team values (1, ?, ?, ?, ?, 0, -1, 0)',
        id,
        name,
        createdAt,
        createdBy,
      )
      for (const { user, role, joined_at } of members)
        this.#runSql('insert or replace into _members values (?, ?, ?)', user, role, joined_at)
      for (const one of invites) {
        const { id: invite, hash, email, role, created_at, created_by, expires_at } = one
        const insert = 'insert or replace into _invites values (?, ?, ?, ?, ?, ?, ?, ?)'
        // Dumps of earlier versions have no `claimed_by`.
        const claimedBy = one.claimed_by ?? null
        this.#runSql(insert, invite, hash, email, role, created_at, created_by, expires_at, claimedBy)
      }
    })
  }

  /** Runs a change in one transaction and increases the revision. */
  #changeTeam<T>(work: () => T): T {
    try {
      return this.#storage.transactionSync(() => {
        const result = work()
        this.#runSql('update _team set rev = rev + 1')
        return result
      })
    } finally {
      this.#members = null
    }
  }

  #addMember(user: string, role: string, at: string): void {
    this.#runSql('insert into _members values (?, ?, ?)', user, role, at)
    this.#noteMove(user, true)
  }

  /** Removes the member's invitations, too: otherwise the person could rejoin with an invitation. */
  #removeMember(user: string): void {
    this.#runSql('delete from _members where user = ?', user)
    this.#members = null
    this.#noteMove(user, false)
    this.#endInvitesOf(user)
  }

  #noteMove(user: string, isMember: boolean): void {
    const rev = 'select rev + 1 from _team'
    this.#runSql(`insert or replace into _moves values (?, ?, (${rev}))`, user, Number(isMember))
  }

  #endInvitesOf(user: string): void {
    this.#runSql('delete from _invites where created_by = ?', user)
  }

  #requireMember(userId: string): StoredMember {
    const member = this.member(userId)
    if (member === null) throw new ApiError('not_found', 'There is no such member.')
    return member
  }

  #requireOtherOwner(userId: string): void {
    if (this.members().some(({ user, role }) => role === OWNER_ROLE && user !== userId)) return
    throw new ApiError(
      'conflict',
      'A team needs an owner: make another member an owner first, or remove the team.',
    )
  }
}

export const noSuchTeam = (): ApiError => new ApiError('not_found', 'There is no such team.')

export const noSuchInvite = (): ApiError =>
  new ApiError('not_found', 'This invitation is not valid. Ask for a new one.')
