import { accountOf, type Objects, partitionOf, type Tier } from '../kernel/objects.ts'

/** Ends the sockets of a person wherever pages of theirs may have opened some: they judge by the rights of then. */
export async function closeSocketsOf(objects: Objects, tier: Tier, userId: string): Promise<void> {
  const followed = await accountOf(objects, tier, userId).memberships('followed', null)
  const partitions = [userId, 'app', ...followed].map((name) => partitionOf(objects, tier, name))
  await Promise.all(partitions.map((partition) => partition.closeSockets(userId)))
}
