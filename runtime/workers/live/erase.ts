import { noSuchUser } from '../../kernel/errors.ts'
import type { ErasedPerson, ErasureCounts, RemoveBytes } from '../../kernel/objects/erasure.ts'
import { accountOf, directoryOf } from '../../kernel/objects/objects.ts'
import type { LiveContext } from '../../kernel/objects/rpc-method.ts'
import { PARTS } from '../../object-parts.ts'

export interface ErasureReport extends ErasureCounts {
  userId: string
}

/**
 * Erases a person. Every step may be repeated and the list entry of the person is removed last, so after an
 * interruption the next call completes the erasure. The data is counted once, before anything is removed, and
 * the counts are stored with the entry, so the report of that next call is complete, too. Throws `not_found`
 * for a person who is unknown or already erased.
 */
export async function erasePerson(
  context: LiveContext,
  userId: string,
  removeBytes: RemoveBytes,
): Promise<ErasureReport> {
  const directory = directoryOf(context.objects, context.tier)
  const account = accountOf(context.objects, context.tier, userId)
  // From here on, this person can no longer sign in.
  if (!(await directory.users('freeze', { id: userId }))) throw noSuchUser()
  const stored = await account.account('read', null)
  const person: ErasedPerson = { ...context, userId, email: stored?.email ?? null, removeBytes }
  const counts =
    (await directory.users('erasureOf', { id: userId })) ??
    (await directory.users('keepErasure', { id: userId, counts: await countPerson(person) }))
  // A concurrent call has completed the erasure.
  if (counts === null) throw noSuchUser()
  // `auth` is the first of the parts: it ends the sessions and closes the sockets before other parts remove anything.
  for (const { erasure } of PARTS) await erasure?.begin?.(person)
  for (const { erasure } of PARTS) await erasure?.erase?.(person)
  await account.wipe()
  for (const { erasure } of PARTS) await erasure?.forget?.(person)
  await directory.users('remove', { id: userId })
  return { userId, ...counts }
}

async function countPerson(person: ErasedPerson): Promise<ErasureCounts> {
  const counts: ErasureCounts = {
    removed: {
      account: 0,
      sessions: 0,
      passkeys: 0,
      identities: 0,
      messages: 0,
      records: 0,
      searchEntries: 0,
      files: 0,
      fileBytes: 0,
      pushDevices: 0,
      teamMemberships: 0,
      teamInvitations: 0,
      meterCounts: 0,
      connectedCredentials: 0,
      timers: 0,
      entitlements: 0,
      subscriptionsCancelled: 0,
      videos: 0,
    },
    kept: { paidOrders: 0, sharedRecords: 0 },
  }
  for (const { erasure } of PARTS) {
    const { removed, kept } = (await erasure?.count?.(person)) ?? {}
    addCounts(counts.removed, removed)
    addCounts(counts.kept, kept)
  }
  return counts
}

function addCounts(total: Record<string, number>, more: Record<string, number> = {}): void {
  for (const [name, count] of Object.entries(more)) total[name] = (total[name] ?? 0) + count
}
