import { type Actor, isTeamId, ownerOf } from '../kernel/access/actor.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import type { RoomSpec } from './types.ts'

const ROOM_ID = /^[\w.-]{1,100}$/

/** Returns the declaration of a room in `app.json`. Throws for a name that is not declared and for an invalid id. */
export function roomSpecOf(rooms: readonly RoomSpec[], name: unknown, id: unknown): RoomSpec {
  const spec = rooms.find(({ room }) => room === name)
  if (spec === undefined) throw new ApiError('not_found', 'There is no such room; app.json declares them.')
  if (typeof id !== 'string' || !ROOM_ID.test(id))
    throw invalid('id', 'must have 1 to 100 letters, digits, dots, dashes or underscores')
  return spec
}

/**
 * Throws unless this caller may enter. `partition` is null for a room of the app. Whatever `access` says, a person's room admits only that
 * person, and a team's room only the team's members. Every room admits server code.
 */
export function requireEntry(
  { access }: RoomSpec,
  actor: Actor,
  { partition, allowAnonymous }: { partition: string | null; allowAnonymous: boolean },
): void {
  if (partition === 'app') throw invalid('partition', 'must be own or the id of a team')
  const isOfTeam = partition !== null && isTeamId(partition)
  if (access === 'team' && !isOfTeam) throw invalid('partition', 'must be the id of a team')
  if (actor === 'system') return
  if (actor === 'anonymous') {
    if (access === 'public' && partition === null && allowAnonymous) return
    throw new ApiError('unauthorized', 'Sign in to enter this room.')
  }
  const isInside = isOfTeam ? actor.inTeam === true : partition === null || partition === ownerOf(actor)
  if (!isInside || (access === 'staff' && actor.role !== 'staff'))
    throw new ApiError('forbidden', 'You may not enter this room.')
}
