import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import type { Db, Trx } from '../db/database.ts'
import { connectionPart } from './part.ts'

/** Returns the core scopes, and those of the organization's capabilities and domains. */
export async function neededScopes(db: Db | Trx, orgId: string): Promise<string[]> {
  return [...new Set([...CORE_SCOPES, ...(await connectionPart().extraScopes(db, orgId))])]
}
