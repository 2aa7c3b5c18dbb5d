import type { TeamRole } from '../types.gen.ts'
import type { ResultMethod } from '../kernel/objects/calls.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    team: TeamBinding
  }
}

declare module '../kernel/manifest.ts' {
  interface Manifest {
    /** The roles that team members may have, beside `owner` and `member`. */
    roles?: string[] | undefined
  }
}

export interface Team {
  id: string
  name: string
  /** The caller's own role: `owner`, `member`, or a role that `app.json` declares. */
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
  /** Null when the first person who opens the link may join. */
  email: string | null
  role: string
  createdAt: string
  expiresAt: string
}

/** `url` contains the secret of the invitation. The URL cannot be returned again, because only a hash of the secret is stored. */
export interface NewInvite {
  id: string
  url: string
  expiresAt: string
}

/** Everything that a member sees of their team. `invites` is empty for members who are not owners. */
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
  /** The person who created the team; null after that person was erased. */
  createdBy: string | null
}

interface TeamRequest {
  session: string
}

/**
 * RPC calls from the app's worker to the live worker about teams. The live worker validates the values of type `unknown`.
 * Older releases, which a rollback restores, use these names: add calls, never change one.
 */
export interface TeamCalls {
  create: { ask: TeamRequest & { name: unknown }; answer: Team }
  list: { ask: TeamRequest; answer: Team[] }
  get: { ask: TeamRequest & { id: string }; answer: TeamDetails }
  /** Returns the team as a member sees it; null for a person who is not a member. */
  view: { ask: TeamRequest & { id: string }; answer: Team | null }
  rename: { ask: TeamRequest & { id: string; name: unknown }; answer: Team }
  /** `origin` is the app's own origin, used for the link. */
  invite: {
    ask: TeamRequest & { id: string; email: unknown; role: unknown; origin: string }
    answer: NewInvite
  }
  revokeInvite: { ask: TeamRequest & { id: string; invite: string }; answer: null }
  accept: { ask: TeamRequest & { token: unknown }; answer: Team }
  setRole: { ask: TeamRequest & { id: string; user: string; role: unknown }; answer: null }
  /** An owner may remove others; every member may remove themselves. */
  remove: { ask: TeamRequest & { id: string; user: string }; answer: null }
  leave: { ask: TeamRequest & { id: string }; answer: null }
  delete: { ask: TeamRequest & { id: string }; answer: null }
  /** Called by server code, so there is no session and no rights are checked. */
  find: { ask: { id: string }; answer: TeamFacts | null }
}

/** Has no `role`, because the reader is server code, which is not a member of the team. */
export type TeamFacts = Omit<Team, 'role'> & { people: TeamMember[] }

/** The calls as the app's worker sends them, with the roles that its release declares. */
export type TeamCallsWithRoles = {
  [Kind in keyof TeamCalls]: {
    ask: TeamCalls[Kind]['ask'] & { roles: readonly string[] }
    answer: TeamCalls[Kind]['answer']
  }
}

export interface TeamBinding {
  team: ResultMethod<TeamCallsWithRoles>
}
