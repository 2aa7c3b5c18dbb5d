import { ApiError, noSuchUser } from '../../kernel/errors.ts'
import { indexedRooms } from '../../live/room-index.ts'
import { callOrders } from '../../pay/ask.ts'
import { callVideos } from '../../video/rpc.ts'
import { closeSocketsOf } from '../../auth/sockets-of.ts'
import type { ErasureCounts } from '../../auth/user-list.ts'
import {
  accountOf,
  type AppObjectStub,
  directoryOf,
  filesOf,
  type Objects,
  partitionOf,
  roomOf,
  type Tier,
} from '../../kernel/objects.ts'

export interface ErasureReport extends ErasureCounts {
  userId: string
}

const FILES_AT_ONCE = 200

interface EraseDeps {
  removeBytes: RemoveBytes
  /** Cancels the subscriptions and open checkouts of a person. Throws when it cannot confirm that all are cancelled. */
  stopPaying: (userId: string) => Promise<void>
}

/**
 * Deletes files from the bucket, which only the admin worker can reach. Resolves to false when the bucket
 * cannot be reached. Admin workers of older releases resolve to undefined.
 */
export type RemoveBytes = (keys: string[]) => Promise<boolean | void>

/**
 * Erases a person. Every step may be repeated and the list entry of the person is removed last, so after an
 * interruption the next call completes the erasure. The data is counted once, before anything is removed, and
 * the counts are stored with the entry, so the report of that next call is complete, too. Throws `not_found`
 * for a person who is unknown or already erased.
 */
export async function erasePerson(
  objects: Objects,
  tier: Tier,
  userId: string,
  { removeBytes, stopPaying }: EraseDeps,
): Promise<ErasureReport> {
  const directory = directoryOf(objects, tier)
  const account = accountOf(objects, tier, userId)
  // From here on, this person can no longer sign in.
  if (!(await directory.users('freeze', { id: userId }))) throw noSuchUser()
  const counts =
    (await directory.users('erasureOf', { id: userId })) ??
    (await directory.users('keepErasure', { id: userId, counts: await countPerson(objects, tier, userId) }))
  // A concurrent call has completed the erasure.
  if (counts === null) throw noSuchUser()
  // Cancel payments before anything is removed: without an account the person could no longer cancel a subscription.
  await stopPaying(userId)
  await account.account('endAll', { exceptId: null })
  await closeSocketsOf(objects, tier, userId)
  await eraseFiles(objects, tier, userId, removeBytes)
  const email = await emailOf(objects, tier, userId)
  for (const team of await teamsOf(objects, tier, userId)) {
    // Remove the person from records before the membership ends: a team is deleted when its last member
    // leaves.
    await team.disown(userId)
    await team.eraseMember(userId, email)
  }
  for (const room of await indexedRooms(account)) await roomOf(objects, tier, room).disown(userId)
  await partitionOf(objects, tier, 'app').disown(userId)
  await account.connections('removeAll', null)
  await callVideos(objects, tier, 'removeOf', { userId })
  await account.wipe()
  await directory.dirForget(userId)
  await directory.meters('forget', { subject: userId })
  await callOrders(objects, tier, 'strip', { user: userId })
  await directory.pushOwners('release', { userId })
  await directory.users('unlink', { id: userId })
  await directory.users('forgetMail', { id: userId })
  await directory.users('remove', { id: userId })
  return { userId, ...counts }
}

async function countPerson(objects: Objects, tier: Tier, userId: string): Promise<ErasureCounts> {
  const directory = directoryOf(objects, tier)
  const account = accountOf(objects, tier, userId)
  const email = await emailOf(objects, tier, userId)
  const bought = await callOrders(objects, tier, 'count', { user: userId })
  const inTeams = { memberships: 0, invitations: 0, records: 0 }
  for (const team of await teamsOf(objects, tier, userId)) {
    inTeams.records += await team.countOwned(userId)
    const { memberships, invitations } = await team.countMember(userId, email)
    inTeams.memberships += memberships
    inTeams.invitations += invitations
  }
  return {
    removed: {
      account: 1,
      sessions: (await account.account('sessions', { currentId: null })).length,
      passkeys: (await account.account('passkeys', null)).length,
      ...(await directory.users('countTraces', { id: userId })),
      records: await account.countRecords(),
      searchEntries: await directory.dirCount(userId),
      ...(await countFiles(objects, tier, userId)),
      pushDevices: await account.countPushDevices(),
      teamMemberships: inTeams.memberships,
      teamInvitations: inTeams.invitations,
      meterCounts: await account.countMeters(),
      connectedCredentials: await account.countConnections(),
      timers: await account.countTimers(),
      entitlements: bought.entitlements,
      subscriptionsCancelled: bought.subscriptions,
      videos: await callVideos(objects, tier, 'count', { userId }),
    },
    kept: {
      paidOrders: bought.paidOrders,
      sharedRecords: inTeams.records + (await partitionOf(objects, tier, 'app').countOwned(userId)),
    },
  }
}

async function emailOf(objects: Objects, tier: Tier, userId: string): Promise<string | null> {
  const stored = await accountOf(objects, tier, userId).account('read', null)
  return stored?.email ?? null
}

/** Returns the teams that may hold data of a person: teams they are in, have left, or were invited to. */
async function teamsOf(objects: Objects, tier: Tier, userId: string): Promise<AppObjectStub[]> {
  const directory = directoryOf(objects, tier)
  const email = await emailOf(objects, tier, userId)
  const inviting = email === null ? [] : await directory.teams('inviting', { email })
  const ever = await accountOf(objects, tier, userId).memberships('ever', null)
  const teams: AppObjectStub[] = []
  for (const id of new Set([...ever, ...inviting]))
    if (await directory.teams('known', { id })) teams.push(partitionOf(objects, tier, id))
  return teams
}

async function countFiles(
  objects: Objects,
  tier: Tier,
  userId: string,
): Promise<{ files: number; fileBytes: number }> {
  const list = filesOf(objects, tier)
  const total = { files: 0, fileBytes: 0 }
  for (let cursor: string | undefined; ;) {
    const page = await list.files('list', { owner: userId, limit: FILES_AT_ONCE, ...(cursor && { cursor }) })
    if (!page.ok) throw new ApiError(page.error.code, page.error.message)
    const { items, nextCursor } = page.value
    total.files += items.length
    total.fileBytes += items.reduce((sum, { size }) => sum + size, 0)
    if (nextCursor === null) return total
    cursor = nextCursor
  }
}

/** Hides files before deleting their bytes, so that after an interruption the next call finds what is left. */
async function eraseFiles(
  objects: Objects,
  tier: Tier,
  userId: string,
  removeBytes: RemoveBytes,
): Promise<void> {
  const list = filesOf(objects, tier)
  for (;;) {
    const page = await list.files('list', { owner: userId, limit: FILES_AT_ONCE })
    if (!page.ok) throw new ApiError(page.error.code, page.error.message)
    const { items } = page.value
    for (const { id } of items) {
      const hidden = await list.files('remove', { id })
      // No file is hidden while the app is being moved, so without this error the loop would never end.
      if (!hidden.ok && hidden.error.code !== 'not_found')
        throw new ApiError(hidden.error.code, hidden.error.message)
    }
    // Abandon uploads in progress, because each would become a file without an owner.
    const dead = await list.files('abandon', { owner: userId })
    if (!dead.ok) throw new ApiError(dead.error.code, dead.error.message)
    if (items.length === 0 && dead.value.length === 0) return
    if ((await removeBytes(dead.value.map(({ key }) => key))) === false)
      throw new ApiError(
        'unavailable',
        'The files could not be reached. Erase this person again in a moment.',
      )
    await list.files('gone', { ids: dead.value.map(({ id }) => id) })
  }
}
