import { isUserId } from '../kernel/access/actor.ts'
import type { ResultOf } from '../kernel/objects/calls.ts'
import { noSuchUser, failureAnswer } from '../kernel/errors.ts'
import { accountOf, directoryOf, type Objects, type Tier } from '../kernel/objects/objects.ts'
import { requirePerson } from '../kernel/access/person.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import type { TimerCalls, TimerOwner } from './types.ts'

/** Handles an RPC call of the app's worker about timers. Returns an `ApiError` as a value: an error thrown across RPC loses its code. */
export async function handleTimers<Kind extends keyof TimerCalls>(
  { objects, tier }: LiveContext,
  owner: TimerOwner,
  kind: Kind,
  ask: TimerCalls[Kind]['ask'],
): Promise<ResultOf<TimerCalls, Kind>> {
  try {
    const userId = await requireOwner(objects, tier, owner)
    return await accountOf(objects, tier, userId).timers(kind, ask)
  } catch (error) {
    return failureAnswer(error)
  }
}

/** Returns the id of the person after checking that they exist, because calling a person's Durable Object creates it. */
async function requireOwner(objects: Objects, tier: Tier, owner: TimerOwner): Promise<string> {
  if ('session' in owner) return (await requirePerson(objects, tier, owner.session)).userId
  const { userId } = owner
  const user = isUserId(userId) ? await directoryOf(objects, tier).users('find', { id: userId }) : null
  if (user === null) throw noSuchUser()
  return userId
}
