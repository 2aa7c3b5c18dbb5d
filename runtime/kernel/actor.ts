/** A person who is signed in to the app. Staff are appointed by the operator. */
export interface Person {
  userId: string
  role: 'member' | 'staff'
  /** A member of the team whose records these are. Only the team's own object sets it. */
  inTeam?: true
}

/** As the access rules see the caller: a visitor, the app's own server code, or a person. */
export type Actor = 'anonymous' | 'system' | Person

/** As the app's worker names the caller. Only the objects know whether a session is valid. */
export type Caller = 'anonymous' | 'system' | { session: string }

/** Returns the owner of a record that this caller creates; null: none. */
export const ownerOf = (actor: Actor): string | null => (typeof actor === 'string' ? null : actor.userId)

const USER_ID = /^u_[a-z0-9]{26}$/

export const isUserId = (text: string): boolean => USER_ID.test(text)

const TEAM_ID = /^t_[a-z0-9]{26}$/

export const isTeamId = (text: string): boolean => TEAM_ID.test(text)

/** `u_` and 26 characters with 130 bits of randomness. */
export const newUserId = (): string => `u_${randomName()}`

/** `t_` and 26 characters with 130 bits of randomness. */
export const newTeamId = (): string => `t_${randomName()}`

function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26))
  return [...bytes].map((byte) => (byte & 31).toString(32)).join('')
}

/** As the cookie carries it. The secret proves that the sender holds the session. */
export interface SessionToken {
  userId: string
  sessionId: string
  secret: string
}

export const formatToken = ({ userId, sessionId, secret }: SessionToken): string =>
  `${userId}.${sessionId}.${secret}`

/** Null when the text cannot be a session. Does not check that it is valid. */
export function parseToken(text: string): SessionToken | null {
  const [userId = '', sessionId = '', secret = '', ...rest] = text.split('.')
  const isToken =
    isUserId(userId) && /^[a-f0-9]{16}$/.test(sessionId) && /^[a-f0-9]{64}$/.test(secret) && rest.length === 0
  return isToken ? { userId, sessionId, secret } : null
}
