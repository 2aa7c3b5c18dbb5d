import { type Actor, type Caller, parseToken, type SessionToken } from './actor.ts'
import { notSignedIn } from '../errors.ts'
import { accountOf, type Objects, type Tier } from '../objects/objects.ts'

/** Returns the person of a session. A session that is not valid counts as a visitor. */
export async function actorOf(objects: Objects, tier: Tier, caller: Caller): Promise<Actor> {
  if (typeof caller === 'string') return caller
  const token = parseToken(caller.session)
  if (token === null) return 'anonymous'
  return (await accountOf(objects, tier, token.userId).account('person', token)) ?? 'anonymous'
}

export async function requirePerson(objects: Objects, tier: Tier, session: unknown): Promise<SessionToken> {
  const token = typeof session === 'string' ? parseToken(session) : null
  const person = token === null ? null : await accountOf(objects, tier, token.userId).account('person', token)
  if (token === null || person === null) throw notSignedIn()
  return token
}
