import type { Actor } from '../kernel/access/actor.ts'
import type { Method, ResultMethod } from '../kernel/objects/calls.ts'
import type { TeamListCalls } from './list.ts'
import type { MembershipCalls, MembershipDump } from './memberships.ts'
import type { ObjectTeam, TeamErasure, TeamObjectCalls } from './object.ts'
import type { TeamDump } from './store.ts'

export interface Methods {
  /** Called on the object of the person. */
  memberships: Method<MembershipCalls>
  team: ResultMethod<TeamObjectCalls>
  eraseMember(userId: string, email: string | null): Promise<void>
  countMember(userId: string, email: string | null): Promise<TeamErasure>
  /** Returns the caller with their membership in this team; null when the team does not exist. */
  actorHere(actor: Actor): Promise<Actor | null>
  /** Called on the directory. */
  teams: Method<TeamListCalls>
}

declare module '../kernel/objects/part.ts' {
  interface PartContext {
    /** Used only in the object of a team. */
    team: Pick<ObjectTeam, 'actorHere' | 'flush' | 'isKept' | 'isThere'>
  }
}

export interface Head {
  team?: TeamDump | null
  memberships?: MembershipDump | null
}
