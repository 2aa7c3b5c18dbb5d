import type { Faults } from '../../faults/faults.ts'
import type { Store } from '../../world/store.ts'
import type { Token } from '../accounts/tokens.ts'
import type { Zone } from '../store/zones.ts'
import type { Account } from '../types.ts'

/**
 * What most routes use. A product that needs more declares an extended type beside its routes; `ApiCloud` in `../routes.ts` combines all of
 * these.
 */
export interface Cloud {
  store: Store
  apps: {
    /** The cache of host names, which a change of host names clears. */
    hosts: { clear(): void }
    /** Applies a committed change of a group to the group's process. */
    applyGroupChange(accountId: string, groupId: string): void
  }
  /** Decides which calls fail; null when fault injection is disabled. */
  faults: Faults | null
  /** Epoch milliseconds. */
  now(): number
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
}

/** The variables that the middleware sets before a route runs, after checking token and account. */
export interface ApiEnv {
  Variables: {
    token: Token
    account: Account
    /** Set only on routes below a zone. */
    zone: Zone
    /** The injected fault, recorded in the journal of API calls. */
    fault: string
    isUnimplemented: boolean
  }
}
