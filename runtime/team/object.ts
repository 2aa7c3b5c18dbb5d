import type { ObjectState } from 'cloudflare:workers'
import type { Actor } from '../kernel/access/actor.ts'
import type { ResultOf, HandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, failureAnswer } from '../kernel/errors.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import {
  type Guest,
  type MembershipMove,
  noSuchInvite,
  noSuchTeam,
  OWNER_ROLE,
  type StoredMember,
  type StoredTeam,
  type TeamCopy,
  type TeamDump,
  TeamStore,
} from './store.ts'
import type { Team, TeamInvite } from './types.ts'
import { sha256Hex, newSecret } from '../kernel/secrets.ts'
import { DAY_MS } from '../kernel/durations.ts'

/** Changes within this time are sent to the directory and the members' Durable Objects in one call. */
const COALESCE_MS = 50
/** How many members' Durable Objects are notified concurrently. */
const MOVES_AT_ONCE = 20

/** What members see of a team, without the names of people: only the directory has them, and the live worker adds them. */
export interface StoredDetails {
  team: Team
  members: StoredMember[]
  invites: TeamInvite[]
}

/** Calls to a team's Durable Object. `by` is the id of the person who calls, whose session the live worker has checked. */
export interface TeamObjectCalls {
  create: { ask: StoredTeam & { createdBy: string }; answer: Team }
  /** Returns the team as a member sees it; null for a person who is not a member. */
  view: { ask: { by: string }; answer: Team | null }
  details: { ask: { by: string }; answer: StoredDetails }
  /** Called by server code, so it checks no rights. */
  find: { ask: null; answer: { team: StoredTeam; members: StoredMember[] } | null }
  rename: { ask: { by: string; name: string }; answer: Team }
  invite: {
    ask: { by: string; email: string | null; role: string; days: number }
    answer: { id: string; secret: string; expiresAt: string }
  }
  revoke: { ask: { by: string; invite: string }; answer: null }
  /** Throws unless an invitation with this secret is open, or the person is already a member. */
  check: { ask: { by: string; secret: string }; answer: null }
  /** Returns whether an invitation with this secret admits a new account with this address. */
  admits: { ask: { secret: string; email: string }; answer: boolean }
  /** Reserves the invitation for the account with this address. Returns false when the invitation does not admit the account. */
  claim: { ask: { secret: string; email: string }; answer: boolean }
  accept: { ask: { guest: Guest; secret: string; maxMembers: number }; answer: Team }
  setRole: { ask: { by: string; user: string; role: string }; answer: null }
  remove: { ask: { by: string; user: string }; answer: null }
  end: { ask: { by: string }; answer: null }
}

export interface TeamErasure {
  memberships: number
  invitations: number
}

interface TeamDeps {
  ctx: Pick<ObjectState, 'waitUntil' | 'storage'>
  hold: Hold
  /** Closes the sockets of a person; without `userId`, all sockets. */
  endSockets: (userId?: string) => void
  /** Sets an alarm that calls `flush`, even if this Durable Object stops now. */
  wake: () => void
  report: (error: unknown) => void
  /** Sends a change of membership to the person's object. Resolves to false when the person does not exist. */
  tell: (move: MembershipMove, isGone: boolean) => Promise<boolean>
  /** Sends the current state of the team to the directory. */
  send: (copy: TeamCopy) => Promise<void>
  /** Removes the team from the directory, then empties this object. */
  finish: () => Promise<void>
}

/** Sends the changes of a team to the Durable Objects that have copies: the directory and the members' own objects. */
export class ObjectTeam {
  readonly #deps: TeamDeps
  readonly #store: TeamStore
  #isFlushRequested = false
  #runningFlush: Promise<void> | null = null

  constructor(deps: TeamDeps) {
    this.#deps = deps
    this.#store = new TeamStore(deps.ctx.storage)
  }

  get isThere(): boolean {
    return this.#store.isThere
  }

  /** True until the removal of the team is complete. */
  get isKept(): boolean {
    return this.#store.isThere || this.#store.isEnding
  }

  /** Returns the sender of a request, with `inTeam` for a member of this team. Throws when the team does not exist. */
  actorHere(actor: Actor): Actor {
    if (typeof actor === 'string') {
      this.#store.require()
      return actor
    }
    const { userId, role } = actor
    if (this.#store.member(userId) !== null) return { userId, role, inTeam: true }
    this.#store.require()
    return { userId, role }
  }

  /**
   * Handles a call. `remove` and `end` return after the members' own objects are updated, so that these people can
   * join another team at once. `claim` returns after the directory has the address, so that erasing the person with
   * this address finds this team. When an object cannot be reached, the alarm sends the update later.
   */
  async answer<Kind extends keyof TeamObjectCalls>(
    kind: Kind,
    ask: TeamObjectCalls[Kind]['ask'],
  ): Promise<ResultOf<TeamObjectCalls, Kind>> {
    try {
      if (!READ_CALLS.has(kind)) this.#deps.hold.require()
      const value = this.#handlers[kind](ask)
      if (!READ_CALLS.has(kind)) this.#requestFlush()
      if (TELLS_FIRST.has(kind)) await this.flush().catch(this.#deps.report)
      return { ok: true, value }
    } catch (error) {
      return failureAnswer(error)
    }
  }

  readonly #handlers: HandlersOf<TeamObjectCalls> = {
    create: (team) => {
      this.#store.create(team)
      return this.#viewOf(this.#requireMember(team.createdBy))
    },
    view: ({ by }) => {
      const member = this.#store.member(by)
      return member === null ? null : this.#viewOf(member)
    },
    details: ({ by }) => {
      const member = this.#requireMember(by)
      const invites = member.role === OWNER_ROLE ? this.#store.invites(nowIso()) : []
      return { team: this.#viewOf(member), members: this.#store.members(), invites }
    },
    find: () => {
      const team = this.#store.read()
      return team === null ? null : { team, members: this.#store.members() }
    },
    rename: ({ by, name }) => {
      const owner = this.#requireOwner(by)
      this.#store.rename(name)
      return this.#viewOf(owner)
    },
    invite: ({ by, email, role, days }) => {
      this.#requireOwner(by)
      const [id, secret] = [newSecret(8), newSecret()]
      const expiresAt = new Date(Date.now() + days * DAY_MS).toISOString()
      // Only the hash of the secret is stored, so that access to the database is not enough to join.
      const invite = { id, hash: sha256Hex(secret), email, role, created_by: by, expires_at: expiresAt }
      this.#store.invite({ ...invite, created_at: nowIso() })
      return { id, secret, expiresAt }
    },
    revoke: ({ by, invite }) => {
      this.#requireOwner(by)
      if (!this.#store.revoke(invite, nowIso()))
        throw new ApiError('not_found', 'There is no such open invitation.')
      return null
    },
    check: ({ by, secret }) => {
      if (this.#store.member(by) === null && !this.#store.isOpen(sha256Hex(secret), nowIso()))
        throw noSuchInvite()
      return null
    },
    admits: ({ secret, email }) => this.#store.admits(sha256Hex(secret), email, nowIso()),
    claim: ({ secret, email }) => this.#store.claim(sha256Hex(secret), email, nowIso()),
    accept: ({ guest, secret, maxMembers }) => {
      if (!this.#store.isThere) throw noSuchInvite()
      this.#store.accept(sha256Hex(secret), guest, maxMembers, nowIso())
      return this.#viewOf(this.#requireMember(guest.userId))
    },
    setRole: ({ by, user, role }) => {
      this.#requireOwner(by)
      this.#store.setRole(user, role)
      this.#deps.endSockets(user)
      return null
    },
    remove: ({ by, user }) => {
      if (by === user) this.#requireMember(by)
      else this.#requireOwner(by)
      this.#store.remove(user)
      this.#deps.endSockets(user)
      return null
    },
    end: ({ by }) => {
      this.#requireOwner(by)
      this.#store.end()
      this.#deps.endSockets()
      return null
    },
  }

  tracesOf(userId: string, email: string | null): TeamErasure {
    const memberships = this.#store.member(userId) === null ? 0 : 1
    return { memberships, invitations: this.#store.invitesOf(userId, email) }
  }

  /** Removes a person who is being erased. Updates the directory before it returns. */
  async erase(userId: string, email: string | null): Promise<void> {
    this.#store.erase(userId, email)
    if (this.#store.isEnding) this.#deps.endSockets()
    else this.#deps.endSockets(userId)
    if (this.isKept) await this.flush()
  }

  dump(): TeamDump | null {
    return this.#store.dump()
  }

  restore(dump: TeamDump): void {
    this.#store.restore(dump)
    this.#requestFlush()
  }

  /** Sends all changes. Throws when an object that has a copy cannot be reached. */
  async flush(): Promise<void> {
    // A flush that is in progress may have read the data before the caller's change, so wait for that flush and flush again.
    await this.#runningFlush?.catch(() => {})
    this.#runningFlush ??= this.#sendMoves().finally(() => {
      this.#runningFlush = null
    })
    await this.#runningFlush
  }

  async #sendMoves(): Promise<void> {
    const { tell, send, finish } = this.#deps
    for (let moves = this.#store.moves(); moves.length > 0; moves = this.#store.moves()) {
      const some = moves.slice(0, MOVES_AT_ONCE).map(async (move) => {
        const isThere = await tell(move, this.#store.isEnding)
        this.#store.markNotified(move)
        // The person was erased while joining. Remove the membership now, because no later call would.
        if (!isThere && move.isMember) this.#store.erase(move.user, null)
      })
      await Promise.all(some)
    }
    if (this.#store.isEnding) return finish()
    const copy = this.#store.unsent()
    if (copy === null) return
    await send(copy)
    this.#store.markSent(copy.rev)
  }

  #requestFlush(): void {
    this.#deps.wake()
    if (this.#isFlushRequested) return
    this.#isFlushRequested = true
    setTimeout(() => {
      this.#isFlushRequested = false
      this.#deps.ctx.waitUntil(this.flush().catch(this.#deps.report))
    }, COALESCE_MS)
  }

  #viewOf({ role }: StoredMember): Team {
    const { id, name, createdAt } = this.#store.require()
    return { id, name, role, members: this.#store.members().length, createdAt }
  }

  /** Throws the same error as for a missing team, so that non-members cannot find out that the team exists. */
  #requireMember(userId: string): StoredMember {
    const member = this.#store.member(userId)
    if (member === null) throw noSuchTeam()
    return member
  }

  #requireOwner(userId: string): StoredMember {
    const member = this.#requireMember(userId)
    if (member.role !== OWNER_ROLE) throw new ApiError('forbidden', 'Only owners of the team may do this.')
    return member
  }
}

const TELLS_FIRST: ReadonlySet<keyof TeamObjectCalls> = new Set(['remove', 'end', 'claim'])

const READ_CALLS: ReadonlySet<keyof TeamObjectCalls> = new Set(['view', 'details', 'find', 'check', 'admits'])

const nowIso = (): string => new Date().toISOString()
