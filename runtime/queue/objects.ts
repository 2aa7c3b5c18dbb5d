import type { SyncStorage } from 'cloudflare:workers'
import type { HandlersOf } from '../kernel/objects/calls.ts'
import type { Hold } from '../kernel/objects/hold.ts'
import { JobKeys } from './keys.ts'
import type { JobClaim } from './types.ts'

/** Calls to the directory object about the idempotency keys of jobs. `key` is a hash, because an app's key may contain personal data. */
export interface JobKeyCalls {
  /** Returns whether the caller may send the job. Returns null during a move to another cloud account, when the app accepts no jobs. */
  claim: { ask: { id: string; key: string | null }; answer: JobClaim | null }
  sent: { ask: { key: string }; answer: void }
  release: { ask: { key: string }; answer: void }
}

export function jobKeyHandlers(storage: SyncStorage, hold: Hold): HandlersOf<JobKeyCalls> {
  const keys = new JobKeys(storage)
  return {
    claim: ({ id, key }) => {
      if (hold.isHeld) return null
      return key === null ? { state: 'yours', id } : keys.claim(key, id, Date.now())
    },
    sent: ({ key }) => keys.sent(key),
    release: ({ key }) => keys.release(key),
  }
}
