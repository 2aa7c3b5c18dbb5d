import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import type { Db, Trx } from '../db/database.ts'
import { connectionHooks } from './hooks.ts'

/** Returns the scopes an organization needs now: the core, those of its capabilities and of its domains. */
export async function neededScopes(db: Db | Trx, orgId: string): Promise<string[]> {
  return [...new Set([...CORE_SCOPES, ...(await connectionHooks().extraScopes(db, orgId))])]
}
