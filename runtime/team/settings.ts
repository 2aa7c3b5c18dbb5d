import { wholeNumberVariable } from '../kernel/variable.ts'

/** The settings of teams. The defaults apply when the service has not set them, as after a deployment with plain wrangler. */
export interface TeamSettings {
  maxMembers: number
  inviteDays: number
  maxTeamsPerUser: number
}

/** Reads the worker's variables. A number out of range becomes the default. */
export function teamSettingsOf(env: unknown): TeamSettings {
  return {
    maxMembers: wholeNumberVariable(env, 'TEAM_MAX_MEMBERS', { absent: 100, most: 1000 }),
    inviteDays: wholeNumberVariable(env, 'TEAM_INVITE_DAYS', { absent: 7, most: 30 }),
    maxTeamsPerUser: wholeNumberVariable(env, 'TEAM_MAX_PER_USER', { absent: 10, most: 100 }),
  }
}
