import type { CapabilityKey } from '../../capabilities.ts'
import type { LiveContext } from './rpc-method.ts'

/** How much of a person's data an erasure removes, and how much it keeps because it also belongs to others. */
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

/** The counts that one capability knows. Those of several capabilities are added. */
type PartialCounts = { [Side in keyof ErasureCounts]?: Partial<ErasureCounts[Side]> }

/**
 * Deletes objects from the bucket of a capability, which only the admin worker can reach: by default that of `files`, with the copies of
 * pictures. Resolves to false when the bucket cannot be reached. Admin workers of older releases resolve to undefined, and know only the
 * bucket of `files`; an app whose admin worker is that old has no other one.
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
 * How a capability erases a person. The person's own Durable Object is emptied as a whole, so this is only for what is stored elsewhere: in
 * other objects, in a bucket, at a provider. Every function is called again when an erasure was interrupted. `workers/live/erase.ts` calls
 * each one for all capabilities before the next one.
 */
export interface Erasure {
  /** Counts the data, also that in the person's own object. Called before anything is removed, and only once. */
  count?(person: ErasedPerson): Promise<PartialCounts>
  /** For what must succeed before anything is removed. */
  begin?(person: ErasedPerson): Promise<unknown>
  /** Removes the data while the person's own object can still be read. */
  erase?(person: ErasedPerson): Promise<unknown>
  /** Removes what the person's own object sends to other objects until it is emptied. */
  forget?(person: ErasedPerson): Promise<unknown>
}
