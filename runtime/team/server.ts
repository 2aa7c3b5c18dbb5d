import { sessionOf } from '../kernel/session.ts'
import type { TeamRole } from '../types.gen.ts'
import { callTeam } from './rpc-client.ts'
import type { NewInvite, Team, TeamFacts, TeamInvite, TeamMember } from './types.ts'

/** The teams, as one person may use them. */
export interface TeamApi {
  create(team: { name: string }): Promise<Team>
  /** Sorted by name. */
  list(): Promise<Team[]>
  get(id: string): Promise<Team>
  rename(id: string, name: string): Promise<Team>
  /**
   * With an address only the person who has confirmed it can join; without one the first person who opens the link. Either way
   * the link works once.
   */
  invite(id: string, options?: { email?: string; role?: TeamRole }): Promise<NewInvite>
  /** The open invitations; empty for members who are not owners. */
  invites(id: string): Promise<TeamInvite[]>
  revokeInvite(id: string, invite: string): Promise<void>
  /** Joins by the token of an invitation's link. */
  accept(token: string): Promise<Team>
  /** In the order in which they joined. */
  members(id: string): Promise<TeamMember[]>
  setRole(id: string, userId: string, role: TeamRole): Promise<void>
  remove(id: string, userId: string): Promise<void>
  leave(id: string): Promise<void>
  /** Removes the team with all of its records. */
  delete(id: string): Promise<void>
}

/** The teams of the app, for its server code. */
export interface ServerTeam {
  /** As the sender of a request (`c.req.raw`). */
  as(request: Request): TeamApi
  /** Returns a team with its members, without checking rights; null when there is none. */
  find(id: string): Promise<TeamFacts | null>
}

export const team: ServerTeam = {
  as(request) {
    const session = sessionOf(request) ?? ''
    const { origin } = new URL(request.url)
    const details = (id: string) => callTeam('get', { session, id })
    return {
      create: ({ name }) => callTeam('create', { session, name }),
      list: () => callTeam('list', { session }),
      get: async (id) => (await details(id)).team,
      rename: (id, name) => callTeam('rename', { session, id, name }),
      invite: (id, { email, role = 'member' } = {}) =>
        callTeam('invite', { session, id, email: email ?? null, role, origin }),
      invites: async (id) => (await details(id)).invites,
      async revokeInvite(id, invite) {
        await callTeam('revokeInvite', { session, id, invite })
      },
      accept: (token) => callTeam('accept', { session, token }),
      members: async (id) => (await details(id)).members,
      async setRole(id, user, role) {
        await callTeam('setRole', { session, id, user, role })
      },
      async remove(id, user) {
        await callTeam('remove', { session, id, user })
      },
      async leave(id) {
        await callTeam('leave', { session, id })
      },
      async delete(id) {
        await callTeam('delete', { session, id })
      },
    }
  },
  find: (id) => callTeam('find', { id }),
}
