import type { Person } from '../../kernel/access/actor.ts'
import { noSuchUser } from '../../kernel/errors.ts'
import { accountOf, directoryOf, type Objects, type Tier } from '../../kernel/objects/objects.ts'
import { closeSocketsOf } from './sockets-of.ts'
import type { ListedUser } from './user-list.ts'

/** Sets a person's role and closes the sockets that were opened with the old role. Throws for an unknown person. */
export async function setRole(
  objects: Objects,
  tier: Tier,
  userId: string,
  role: Person['role'],
): Promise<ListedUser> {
  const directory = directoryOf(objects, tier)
  if ((await directory.users('find', { id: userId })) === null) throw noSuchUser()
  const account = accountOf(objects, tier, userId)
  await account.account('setRole', { role })
  await directory.users('change', { id: userId, role })
  await closeSocketsOf(objects, tier, userId)
  const listed = await directory.users('listed', { id: userId })
  if (listed === null) throw noSuchUser()
  return listed
}
