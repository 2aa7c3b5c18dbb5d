import { auth } from '../auth/client.ts'
import { notSignedIn } from '../kernel/errors.ts'
import { callRoute } from '../web/api.ts'
import type { TeamApi } from './server.ts'
import { teamDetails, TEAM_PATH, teamPath } from './team-details.ts'

export type { TeamApi } from './server.ts'
export type { NewInvite, Team, TeamInvite, TeamMember } from './types.ts'

export const team: TeamApi = {
  create: ({ name }) => callRoute('POST', TEAM_PATH, { name }),
  list: () => callRoute('GET', TEAM_PATH),
  get: async (id) => (await teamDetails(id)).team,
  rename: (id, name) => callRoute('PATCH', teamPath(id), { name }),
  invite: (id, options = {}) => callRoute('POST', teamPath(id, 'invites'), options),
  invites: async (id) => (await teamDetails(id)).invites,
  async revokeInvite(id, invite) {
    await callRoute('DELETE', teamPath(id, 'invites', invite))
  },
  accept: (token) => callRoute('POST', `${TEAM_PATH}/invites/accept`, { token }),
  members: async (id) => (await teamDetails(id)).members,
  async setRole(id, userId, role) {
    await callRoute('PATCH', teamPath(id, 'members', userId), { role })
  },
  async remove(id, userId) {
    await callRoute('DELETE', teamPath(id, 'members', userId))
  },
  async leave(id) {
    const user = await auth.me()
    if (user === null) throw notSignedIn()
    await callRoute('DELETE', teamPath(id, 'members', user.id))
  },
  async delete(id) {
    await callRoute('DELETE', teamPath(id))
  },
}
