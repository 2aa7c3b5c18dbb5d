import { indexedRooms } from '../../live/room-index.ts'
import { accountOf, type Objects, partitionOf, roomOf, type Tier } from '../../kernel/objects/objects.ts'

/**
 * Closes all sockets of a person, in every Durable Object in which a page may have opened a socket, because a socket keeps the rights with
 * which it was opened.
 */
export async function closeSocketsOf(objects: Objects, tier: Tier, userId: string): Promise<void> {
  const account = accountOf(objects, tier, userId)
  const [followed, rooms] = await Promise.all([account.memberships('followed', null), indexedRooms(account)])
  const objectsWithSockets = [
    ...[userId, 'app', ...followed].map((name) => partitionOf(objects, tier, name)),
    ...rooms.map((room) => roomOf(objects, tier, room)),
  ]
  await Promise.all(objectsWithSockets.map((object) => object.closeSockets(userId)))
}
