import { parseToken, type SessionToken } from './actor.ts'
import { notSignedIn } from './errors.ts'
import { accountOf, type Objects, type Tier } from './objects.ts'

export async function requirePerson(objects: Objects, tier: Tier, session: unknown): Promise<SessionToken> {
  const token = typeof session === 'string' ? parseToken(session) : null
  const person = token === null ? null : await accountOf(objects, tier, token.userId).account('person', token)
  if (token === null || person === null) throw notSignedIn()
  return token
}
