/** A person who is signed in to the app. Staff are appointed by the operator. */
export interface Person {
  userId: string
  role: 'member' | 'staff'
  /** A member of the team whose records these are. Only the team's own object says so. */
  inTeam?: true
}

/** The caller as the access rules judge it: a visitor, the app's own server code, or a person. */
export type Actor = 'anonymous' | 'system' | Person

/** The caller as the app's worker names it. Only the objects can tell whether a session is valid. */
export type Caller = 'anonymous' | 'system' | { session: string }

/** Returns whom a record belongs to when this caller creates it; null: no person. */
export const ownerOf = (actor: Actor): string | null => (typeof actor === 'string' ? null : actor.userId)

const USER_ID = /^u_[a-z0-9]{26}$/

export const isUserId = (text: string): boolean => USER_ID.test(text)

const TEAM_ID = /^t_[a-z0-9]{26}$/

export const isTeamId = (text: string): boolean => TEAM_ID.test(text)

/** Returns a new user id: `u_` and 26 characters with 130 bits of randomness. */
export const newUserId = (): string => `u_${randomName()}`

/** Returns a new team id, made like that of a user. */
export const newTeamId = (): string => `t_${randomName()}`

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26))
  return [...bytes].map((byte) => (byte & 31).toString(32)).join('')
}

/** A session as its cookie carries it: whose it is, which one, and the secret that proves it. */
export interface SessionToken {
  userId: string
  sessionId: string
  secret: string
}

export const formatToken = ({ userId, sessionId, secret }: SessionToken): string =>
  `${userId}.${sessionId}.${secret}`

/** Returns the parts of a session's text; null when it cannot be one. */
export function parseToken(text: string): SessionToken | null {
  const [userId = '', sessionId = '', secret = '', ...rest] = text.split('.')
  const isToken =
    isUserId(userId) && /^[a-f0-9]{16}$/.test(sessionId) && /^[a-f0-9]{64}$/.test(secret) && rest.length === 0
  return isToken ? { userId, sessionId, secret } : null
}
