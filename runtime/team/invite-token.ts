import { isTeamId } from '../kernel/actor.ts'

/** Where the page is to which a link of an invitation leads. */
export const TEAMS_PATH = '/teams'

const SECRET = /^[a-f0-9]{64}$/

/** What the token in the link of an invitation says: which team, and the secret of the invitation. */
export interface InviteToken {
  team: string
  secret: string
}

/** Returns the token of an invitation; null for a text that cannot be one. It need not be valid. */
export function parseInviteToken(text: unknown): InviteToken | null {
  if (typeof text !== 'string') return null
  const [team = '', secret = '', ...rest] = text.split('.')
  return isTeamId(team) && SECRET.test(secret) && rest.length === 0 ? { team, secret } : null
}

/** Returns the token of an invitation as it is written into a link. */
export const formatInviteToken = ({ team, secret }: InviteToken): string => `${team}.${secret}`
