import { valueIn } from '../kernel/errors.ts'
import type { AppObjectStub } from '../kernel/objects.ts'

/**
 * Adds a room to the list of rooms that an object stores: in the object of a person who enters the room, or
 * in the directory before the room stores its first message.
 */
export async function indexRoom(object: AppObjectStub, room: string): Promise<void> {
  valueIn(await object.rooms('note', { room }))
}

export async function indexedRooms(object: AppObjectStub): Promise<string[]> {
  return valueIn(await object.rooms('noted', null))
}
