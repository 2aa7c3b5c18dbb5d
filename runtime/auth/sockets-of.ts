import { indexedRooms } from '../live/room-index.ts'
import { accountOf, type Objects, partitionOf, roomOf, type Tier } from '../kernel/objects.ts'

/** Closes all sockets of a person, in every object where their pages may have opened one: a socket keeps the rights it was opened with. */
export async function closeSocketsOf(objects: Objects, tier: Tier, userId: string): Promise<void> {
  const account = accountOf(objects, tier, userId)
  const [followed, rooms] = await Promise.all([account.memberships('followed', null), indexedRooms(account)])
  const places = [
    ...[userId, 'app', ...followed].map((name) => partitionOf(objects, tier, name)),
    ...rooms.map((room) => roomOf(objects, tier, room)),
  ]
  await Promise.all(places.map((place) => place.closeSockets(userId)))
}
