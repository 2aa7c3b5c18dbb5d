import type { Db, Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'

/** What uses a connected cloud account: functions of higher layers that connections call. `server/upward-ports.ts` provides them. */
export interface AccountUses {
  /** Returns the scopes that an organization's capabilities and domains need besides those of every connection. */
  extraScopes: (db: Db | Trx, orgId: string) => Promise<string[]>
  /** Sends jobs for the rebinds that are due, in the transaction that connects a cloud account. */
  resumeRebinds: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    by: { orgId: string; actor: string },
  ) => Promise<void>
}

declare module '../platform.ts' {
  interface Ports {
    accountUses: AccountUses
  }
}
