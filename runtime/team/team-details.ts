import { callRoute } from '../web/api.ts'
import type { TeamDetails } from './types.ts'

export const TEAM_PATH = '/_app/team'

export const teamPath = (id: string, ...rest: string[]): string =>
  [TEAM_PATH, ...[id, ...rest].map((part) => encodeURIComponent(part))].join('/')

/** Returns everything that a team's page shows, in one call. */
export const teamDetails = (id: string): Promise<TeamDetails> => callRoute('GET', teamPath(id))
