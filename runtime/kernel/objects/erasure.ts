import type { CapabilityKey } from '../../capabilities.ts'
import type { LiveContext } from './rpc-method.ts'

/** How much of a person's data an erasure removes, and how much is kept because the data also belongs to others. */
export interface ErasureCounts {
  removed: {
    account: number
    sessions: number
    passkeys: number
    identities: number
    messages: number
    records: number
    searchEntries: number
    files: number
    fileBytes: number
    pushDevices: number
    teamMemberships: number
    teamInvitations: number
    meterCounts: number
    connectedCredentials: number
    timers: number
    entitlements: number
    subscriptionsCancelled: number
    videos: number
  }
  kept: { paidOrders: number; sharedRecords: number }
}

/** One capability's counts. The counts of all capabilities are added. */
type PartialCounts = { [Side in keyof ErasureCounts]?: Partial<ErasureCounts[Side]> }

/**
 * Deletes objects from a capability's bucket, which only the admin worker can reach. The default is the bucket of `files`, where the copies
 * of pictures are deleted, too. Resolves to false when the bucket cannot be reached. Admin workers of older releases resolve to undefined
 * and know only the bucket of `files`. An app with such an admin worker has no other bucket.
 */
export type RemoveBytes = (keys: string[], capability?: CapabilityKey) => Promise<boolean | void>

/** A person who is being erased and can no longer sign in. */
export interface ErasedPerson extends LiveContext {
  userId: string
  /** Null when an earlier call has removed the account. */
  email: string | null
  removeBytes: RemoveBytes
}

/**
 * How a capability erases a person's data outside the person's own Durable Object, which is emptied as a whole: in other objects, in a
 * bucket, at a provider. Every function is called again when an erasure was interrupted. `workers/live/erase.ts` calls a function for all
 * capabilities before it calls the next function.
 */
export interface Erasure {
  /** Counts the data, including the data in the person's own object. Called before anything is removed, and only once. */
  count?(person: ErasedPerson): Promise<PartialCounts>
  /** Does what must succeed before anything is removed. */
  begin?(person: ErasedPerson): Promise<unknown>
  /** Removes the data while the person's own object can still be read. */
  erase?(person: ErasedPerson): Promise<unknown>
  /** Removes what the person's own object still sends to other objects before the own object is emptied. */
  forget?(person: ErasedPerson): Promise<unknown>
}
