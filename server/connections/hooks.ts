import type { Db, Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'

/** The functions of higher layers that connections call. Imports lead down only, so the start-up passes them in. */
export interface ConnectionHooks {
  /** Returns the scopes that an organization's capabilities and domains need besides those of every connection. */
  extraScopes: (db: Db | Trx, orgId: string) => Promise<string[]>
  /** Sends jobs for the rebinds that are due, in the transaction that connects a cloud account. */
  resumeRebinds: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    by: { orgId: string; actor: string },
  ) => Promise<void>
}

let provided: ConnectionHooks | null = null

export function provideConnectionHooks(hooks: ConnectionHooks): void {
  provided = hooks
}

/** Throws when the start-up has not called `provideConnectionHooks`. */
export function connectionHooks(): ConnectionHooks {
  if (provided === null) throw new Error('provideConnectionHooks was not called')
  return provided
}
