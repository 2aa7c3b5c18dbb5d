import { unwrapResult } from '../kernel/errors.ts'
import type { AppObjectStub } from '../kernel/objects/objects.ts'

/**
 * Adds a room to the list of rooms in a Durable Object. Called for a person's object before the person enters the room,
 * and for the directory before the room stores its first message or state.
 */
export async function indexRoom(object: AppObjectStub, room: string): Promise<void> {
  unwrapResult(await object.rooms('note', { room }))
}

export async function indexedRooms(object: AppObjectStub): Promise<string[]> {
  return unwrapResult(await object.rooms('noted', null))
}
