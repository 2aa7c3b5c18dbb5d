import { fromFailure } from '../kernel/errors.ts'
import type { AppObjectStub } from '../kernel/objects.ts'

/** Notes a room in the object of a person who enters it, or in the directory before it stores something. */
export async function noteRoom(object: AppObjectStub, room: string): Promise<void> {
  const answer = await object.rooms('note', { room })
  if (!answer.ok) throw fromFailure(answer.error)
}

/** Returns the rooms that were noted in an object. */
export async function notedRooms(object: AppObjectStub): Promise<string[]> {
  const answer = await object.rooms('noted', null)
  if (!answer.ok) throw fromFailure(answer.error)
  return answer.value
}
