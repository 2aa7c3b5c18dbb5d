import { fieldsOf } from '../kernel/fields.ts'
import { sessionOf } from '../kernel/access/session.ts'
import type { TeamRole } from '../types.gen.ts'
import { callTeam } from './rpc-client.ts'
import type { NewInvite, Team, TeamFacts, TeamInvite, TeamMember } from './types.ts'

export type { NewInvite, Team, TeamFacts, TeamInvite, TeamMember } from './types.ts'

/** Team methods with the rights of one person. */
export interface TeamApi {
  create(team: { name: string }): Promise<Team>
  /** Returns the person's teams, sorted by name. */
  list(): Promise<Team[]>
  get(id: string): Promise<Team>
  rename(id: string, name: string): Promise<Team>
  /**
   * Invites with a link that works once. With `email`, only the person who has confirmed that address can join; without it, the first
   * person who opens the link.
   */
  invite(id: string, options?: { email?: string; role?: TeamRole }): Promise<NewInvite>
  /** Returns the open invitations; empty for members who are not owners. */
  invites(id: string): Promise<TeamInvite[]>
  revokeInvite(id: string, invite: string): Promise<void>
  /** Joins with the token in an invitation link. */
  accept(token: string): Promise<Team>
  /** Returns the members in the order in which they joined. */
  members(id: string): Promise<TeamMember[]>
  setRole(id: string, userId: string, role: TeamRole): Promise<void>
  remove(id: string, userId: string): Promise<void>
  leave(id: string): Promise<void>
  /** Deletes the team with all of its records. */
  delete(id: string): Promise<void>
}

/** Team methods for server code. */
export interface ServerTeam {
  /** Acts with the rights of a request's sender (`c.req.raw`). */
  as(request: Request): TeamApi
  /** Returns a team with its members, without checking rights; null when the team does not exist. */
  find(id: string): Promise<TeamFacts | null>
}

export const team: ServerTeam = {
  as(request) {
    const session = sessionOf(request) ?? ''
    const { origin } = new URL(request.url)
    const details = (id: string) => callTeam('get', { session, id })
    return {
      create: (given) => callTeam('create', { session, name: fieldsOf(given)['name'] }),
      list: () => callTeam('list', { session }),
      get: async (id) => (await details(id)).team,
      rename: (id, name) => callTeam('rename', { session, id, name }),
      invite: (id, given) => {
        const { email = null, role = 'member' } = fieldsOf(given)
        return callTeam('invite', { session, id, email, role, origin })
      },
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
