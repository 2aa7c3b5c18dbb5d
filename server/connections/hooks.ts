import type { Db, Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'

/** What connections call in higher layers: imports lead down only, so the start-up provides these functions. */
export interface ConnectionHooks {
  /** The scopes an organization needs beyond those of every connection: for its capabilities and domains. */
  extraScopes: (db: Db | Trx, orgId: string) => Promise<string[]>
  /** Sends the jobs of due rebinds, in the transaction that connects a cloud account. */
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

/** Throws when the start-up did not provide the hooks. */
export function connectionHooks(): ConnectionHooks {
  if (provided === null) throw new Error('provideConnectionHooks was not called')
  return provided
}
