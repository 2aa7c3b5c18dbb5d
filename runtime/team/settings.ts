/** The settings of teams. The defaults apply when the service has not set them, as after a deployment with plain wrangler. */
export interface TeamSettings {
  maxMembers: number
  inviteDays: number
  maxTeamsPerUser: number
}

/** Reads the worker's variables. A number out of range becomes the default. */
export function teamSettingsOf(env: unknown): TeamSettings {
  const variables = env as Record<string, unknown>
  const numberIn = (name: string, max: number, fallback: number): number => {
    const value = typeof variables[name] === 'string' ? Number(variables[name]) : Number.NaN
    return Number.isInteger(value) && value >= 1 && value <= max ? value : fallback
  }
  return {
    maxMembers: numberIn('TEAM_MAX_MEMBERS', 1000, 100),
    inviteDays: numberIn('TEAM_INVITE_DAYS', 30, 7),
    maxTeamsPerUser: numberIn('TEAM_MAX_PER_USER', 100, 10),
  }
}
