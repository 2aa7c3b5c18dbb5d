import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import type { Db, Trx } from '../db/database.ts'
import { connectionHooks } from './hooks.ts'

/** Returns the scopes of every connection and those of the organization's capabilities and domains. */
export async function neededScopes(db: Db | Trx, orgId: string): Promise<string[]> {
  return [...new Set([...CORE_SCOPES, ...(await connectionHooks().extraScopes(db, orgId))])]
}
