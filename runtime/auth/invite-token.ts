import { isTeamId } from '../kernel/access/actor.ts'

/** The page that an invitation link opens. */
export const TEAMS_PATH = '/teams'

const SECRET_PATTERN = /^[a-f0-9]{64}$/

export interface InviteToken {
  team: string
  secret: string
}

/** Returns null for text that cannot be a token. Does not check that the invitation is open. */
export function parseInviteToken(text: unknown): InviteToken | null {
  if (typeof text !== 'string') return null
  const [team = '', secret = '', ...rest] = text.split('.')
  return isTeamId(team) && SECRET_PATTERN.test(secret) && rest.length === 0 ? { team, secret } : null
}

export const formatInviteToken = ({ team, secret }: InviteToken): string => `${team}.${secret}`
