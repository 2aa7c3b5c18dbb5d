import type { TeamRole } from '../types.gen.ts'
import type { ResultMethod } from '../kernel/calls.ts'

export interface Team {
  id: string
  name: string
  /** The caller's own role: `owner`, `member`, or one that `app.json` declares. */
  role: string
  members: number
  createdAt: string
}

export interface TeamMember {
  userId: string
  name: string
  role: string
  joinedAt: string
}

export interface TeamInvite {
  id: string
  /** Null: for the first person who opens the link. */
  email: string | null
  role: string
  createdAt: string
  expiresAt: string
}

/** `url` is known only now, because only its hash is stored. */
export interface NewInvite {
  id: string
  url: string
  expiresAt: string
}

/** What members see of their team. `invites` is empty for members who are not owners. */
export interface TeamDetails {
  team: Team
  members: TeamMember[]
  invites: TeamInvite[]
  roles: TeamRole[]
}

export interface ListedTeam {
  id: string
  name: string
  members: number
  pendingInvites: number
  createdAt: string
  /** Null: that person was erased. */
  createdBy: string | null
}

/** `roles` are those that the caller's release declares. */
interface Asked {
  session: string
  roles: readonly string[]
}

/** Calls of the app's worker about its teams. Methods are added, never changed: older releases call them. */
export interface TeamCalls {
  create: { ask: Asked & { name: string }; answer: Team }
  list: { ask: Asked; answer: Team[] }
  get: { ask: Asked & { id: string }; answer: TeamDetails }
  /** Null for a person who is not a member. */
  view: { ask: Asked & { id: string }; answer: Team | null }
  rename: { ask: Asked & { id: string; name: string }; answer: Team }
  /** `origin`: that of the app, for the link. */
  invite: {
    ask: Asked & { id: string; email: string | null; role: string; origin: string }
    answer: NewInvite
  }
  revokeInvite: { ask: Asked & { id: string; invite: string }; answer: null }
  accept: { ask: Asked & { token: string }; answer: Team }
  setRole: { ask: Asked & { id: string; user: string; role: string }; answer: null }
  /** An owner may remove others; every member may remove themselves. */
  remove: { ask: Asked & { id: string; user: string }; answer: null }
  leave: { ask: Asked & { id: string }; answer: null }
  delete: { ask: Asked & { id: string }; answer: null }
  /** For server code, so there is no session and no rights are checked. */
  find: { ask: { id: string }; answer: TeamFacts | null }
}

/** For server code, which need not be a member, so there is no role of the caller. */
export type TeamFacts = Omit<Team, 'role'> & { people: TeamMember[] }

export interface TeamBinding {
  team: ResultMethod<TeamCalls>
}
