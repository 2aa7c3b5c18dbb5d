import { indexedRooms } from '../live/room-index.ts'
import { accountOf, type Objects, partitionOf, roomOf, type Tier } from '../kernel/objects.ts'

/** Ends the sockets of a person wherever pages of theirs may have opened some: they judge by the rights of then. */
export async function closeSocketsOf(objects: Objects, tier: Tier, userId: string): Promise<void> {
  const account = accountOf(objects, tier, userId)
  const [followed, rooms] = await Promise.all([account.memberships('followed', null), indexedRooms(account)])
  const places = [
    ...[userId, 'app', ...followed].map((name) => partitionOf(objects, tier, name)),
    ...rooms.map((room) => roomOf(objects, tier, room)),
  ]
  await Promise.all(places.map((place) => place.closeSockets(userId)))
}
