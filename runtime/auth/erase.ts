import { ApiError } from '../kernel/errors.ts'
import { accountOf, directoryOf, filesOf, type Objects, partitionOf, type Tier } from '../kernel/objects.ts'

/** How much of a person was removed, and what stays because it belongs to others, too. */
export interface ErasureReport {
  userId: string
  removed: {
    account: number
    sessions: number
    records: number
    searchEntries: number
    files: number
    fileBytes: number
  }
  kept: { paidOrders: number; sharedRecords: number }
}

const FILES_AT_ONCE = 200

/**
 * Erases a person. Every step may be repeated, and the person's entry in the list goes last: a call that is cut off is
 * completed by the next one. `removeBytes` deletes files from the bucket, which only the admin worker can reach.
 */
export async function erasePerson(
  objects: Objects,
  tier: Tier,
  userId: string,
  removeBytes: (keys: string[]) => Promise<void>,
): Promise<ErasureReport> {
  const directory = directoryOf(objects, tier)
  const account = accountOf(objects, tier, userId)
  // From here on nobody signs in as this person.
  if (!(await directory.users('freeze', { id: userId })))
    throw new ApiError('not_found', 'There is no such user.')
  const sessions = (await account.account('sessions', { currentId: null })).length
  await account.account('endAll', { exceptId: null })
  await Promise.all([account, partitionOf(objects, tier, 'app')].map((one) => one.closeSockets(userId)))
  const files = await eraseFiles(objects, tier, userId, removeBytes)
  const sharedRecords = await partitionOf(objects, tier, 'app').disown(userId)
  const records = await account.countRecords()
  await account.wipe()
  const searchEntries = await directory.dirForget(userId)
  await directory.users('remove', { id: userId })
  return {
    userId,
    removed: { account: 1, sessions, records, searchEntries, ...files },
    kept: { paidOrders: 0, sharedRecords },
  }
}

async function eraseFiles(
  objects: Objects,
  tier: Tier,
  userId: string,
  removeBytes: (keys: string[]) => Promise<void>,
): Promise<{ files: number; fileBytes: number }> {
  const list = filesOf(objects, tier)
  const total = { files: 0, fileBytes: 0 }
  for (;;) {
    const page = await list.files('list', { owner: userId, limit: FILES_AT_ONCE })
    if (!page.ok) throw new ApiError(page.error.code, page.error.message)
    const { items } = page.value
    if (items.length === 0) return total
    const ids = items.map(({ id }) => id)
    for (const id of ids) await list.files('remove', { id })
    await removeBytes(items.map(({ key }) => key))
    await list.files('gone', { ids })
    total.files += items.length
    total.fileBytes += items.reduce((sum, { size }) => sum + size, 0)
  }
}
