import { unwrapResult } from '../kernel/errors.ts'
import { directoryOf, objectByName, type Objects, roomOfName, type Tier } from '../kernel/objects/objects.ts'
import type { CallLocation, RunningCall } from './types.ts'

/** Returns the calls of a tier, newest first, as reported by the object of each room. Leaves out and reports a room whose object fails. */
export async function runningCalls(
  objects: Objects,
  tier: Tier,
  report: (error: unknown) => void,
): Promise<RunningCall[]> {
  const directory = directoryOf(objects, tier)
  const places = unwrapResult(await directory.rooms('calls', null))
  const answers = places.map(async (at) => {
    try {
      return [
        { at, participants: unwrapResult(await objectByName(objects, tier, at.place).rooms('call', at)) },
      ]
    } catch (error) {
      // The row of this room is kept, so the next request asks the room again.
      report(error)
      return []
    }
  })
  const found = (await Promise.all(answers)).flat()
  const over = found.filter(({ participants }) => participants.length === 0).map(({ at }) => at)
  if (over.length > 0) unwrapResult(await directory.rooms('callsAt', { calls: over, isOn: false }))
  const ids = found.flatMap(({ participants }) => participants.flatMap(({ userId }) => userId ?? []))
  const names = await directory.users('names', { ids })
  return found
    .flatMap(({ at, participants }) => {
      const [first] = participants
      if (first === undefined) return []
      const people = participants.map(({ userId, joinedMs, tracks, muted }) => ({
        userId,
        name: names[userId ?? ''] ?? null,
        joinedAt: new Date(joinedMs).toISOString(),
        tracks,
        muted,
      }))
      const startedAt = new Date(first.startedMs).toISOString()
      return [{ ...roomNameOf(at), mode: first.mode, startedAt, people }]
    })
    .sort((a, b) => b.startedAt.localeCompare(a.startedAt))
}

function roomNameOf({ place, room }: CallLocation): Pick<RunningCall, 'room' | 'id' | 'partition'> {
  const [name = '', ...id] = room.split('/')
  return { room: name, id: id.join('/'), partition: roomOfName(place) === null ? place : null }
}
