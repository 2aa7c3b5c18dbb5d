/** A person who is signed in to the app. The operator appoints staff. */
export interface Person {
  userId: string
  role: 'member' | 'staff'
  /**
   * Set for a member of the team that owns the partition. Only the team's Durable Object sets this, because that object stores the members.
   */
  inTeam?: true
}

/** The callers that access rules distinguish: a visitor, the app's own server code, or a person. */
export type Actor = 'anonymous' | 'system' | Person

/**
 * The caller, as the app's worker sends it to the live worker. The session is not verified yet: only the Durable Object of the person knows
 * whether the session is valid.
 */
export type Caller = 'anonymous' | 'system' | { session: string }

/** Returns the owner of records that this caller creates; null for a visitor and the app itself. */
export const ownerOf = (actor: Actor): string | null => (typeof actor === 'string' ? null : actor.userId)

/** The owner of files from visitors. All visitors share one owner, because they cannot be told apart. */
export const VISITORS_OWNER = 'visitors'

const USER_ID = /^u_[a-z0-9]{26}$/

export const isUserId = (value: unknown): value is string => typeof value === 'string' && USER_ID.test(value)

const TEAM_ID = /^t_[a-z0-9]{26}$/

export const isTeamId = (value: unknown): value is string => typeof value === 'string' && TEAM_ID.test(value)

/** Returns `u_` and 26 characters with 130 bits of randomness. */
export const newUserId = (): string => `u_${randomName()}`

/** Returns `t_` and 26 characters with 130 bits of randomness. */
export const newTeamId = (): string => `t_${randomName()}`

/** Returns 26 characters with 130 bits of randomness, so that they cannot be guessed. */
export function randomName(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(26))
  return [...bytes].map((byte) => (byte & 31).toString(32)).join('')
}

/** The parts of a session cookie. The secret proves that the sender owns the session. */
export interface SessionToken {
  userId: string
  sessionId: string
  secret: string
}

export const formatSessionToken = ({ userId, sessionId, secret }: SessionToken): string =>
  `${userId}.${sessionId}.${secret}`

/** Returns null when the text cannot be a session. Does not check whether the session is valid. */
export function parseToken(text: string): SessionToken | null {
  const [userId = '', sessionId = '', secret = '', ...rest] = text.split('.')
  const isToken =
    isUserId(userId) && /^[a-f0-9]{16}$/.test(sessionId) && /^[a-f0-9]{64}$/.test(secret) && rest.length === 0
  return isToken ? { userId, sessionId, secret } : null
}
