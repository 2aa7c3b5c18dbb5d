import type { TeamRole } from '../types.gen.ts'
import type { ResultMethod } from '../kernel/calls.ts'

/** A team as one of its members sees it. */
export interface Team {
  id: string
  name: string
  /** The caller's own: `owner`, `member`, or one that `app.json` declares. */
  role: string
  members: number
  createdAt: string
}

/** A member as the others see them. */
export interface TeamMember {
  userId: string
  name: string
  role: string
  joinedAt: string
}

/** An invitation that is open. */
export interface TeamInvite {
  id: string
  /** Null: the first who opens the link. */
  email: string | null
  role: string
  createdAt: string
  expiresAt: string
}

/** A new invitation. Its address is known only now: a hash of it is stored. */
export interface NewInvite {
  id: string
  url: string
  expiresAt: string
}

/** Everything of a team that its members see; the open invitations are for owners. */
export interface TeamDetails {
  team: Team
  members: TeamMember[]
  invites: TeamInvite[]
  /** The roles that a member may have. */
  roles: TeamRole[]
}

/** A team as the operator sees it. */
export interface ListedTeam {
  id: string
  name: string
  members: number
  pendingInvites: number
  createdAt: string
  /** Null: that person was erased. */
  createdBy: string | null
}

/** Who calls, and the roles of the release that does. */
interface Asked {
  session: string
  roles: readonly string[]
}

/** Calls of the app's worker about its teams. Methods are added, never changed: older releases call them. */
export interface TeamCalls {
  create: { ask: Asked & { name: string }; answer: Team }
  list: { ask: Asked; answer: Team[] }
  get: { ask: Asked & { id: string }; answer: TeamDetails }
  /** Null for everybody who is no member. */
  view: { ask: Asked & { id: string }; answer: Team | null }
  rename: { ask: Asked & { id: string; name: string }; answer: Team }
  /** `origin`: where the app is reached, for the link. */
  invite: {
    ask: Asked & { id: string; email: string | null; role: string; origin: string }
    answer: NewInvite
  }
  revokeInvite: { ask: Asked & { id: string; invite: string }; answer: null }
  accept: { ask: Asked & { token: string }; answer: Team }
  setRole: { ask: Asked & { id: string; user: string; role: string }; answer: null }
  /** Of another member, by an owner, or of oneself. */
  remove: { ask: Asked & { id: string; user: string }; answer: null }
  leave: { ask: Asked & { id: string }; answer: null }
  delete: { ask: Asked & { id: string }; answer: null }
  /** For server code: no session, and no rules. */
  find: { ask: { id: string }; answer: TeamFacts | null }
}

/** What server code may know of a team without being one of its members. */
export type TeamFacts = Omit<Team, 'role'> & { people: TeamMember[] }

/** What the app's worker may call of the teams. */
export interface TeamBinding {
  team: ResultMethod<TeamCalls>
}
