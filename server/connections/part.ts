import type { Db, Trx } from '../db/database.ts'
import type { Ports } from '../platform.ts'

/** What connections call in higher layers: imports lead down only, so the start-up provides these functions. */
export interface ConnectionPart {
  /** The scopes an organization needs beyond those of every connection: for its capabilities and domains. */
  extraScopes: (db: Db | Trx, orgId: string) => Promise<string[]>
  /** Sends the jobs of due rebinds, in the transaction that connects a cloud account. */
  resumeRebinds: (
    platform: Pick<Ports, 'jobs'>,
    trx: Trx,
    by: { orgId: string; actor: string },
  ) => Promise<void>
}

let provided: ConnectionPart | null = null

export function provideConnectionPart(part: ConnectionPart): void {
  provided = part
}

/** Throws when the start-up did not provide the part. */
export function connectionPart(): ConnectionPart {
  if (provided === null) throw new Error('provideConnectionPart was not called')
  return provided
}
