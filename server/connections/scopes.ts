import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import type { Db } from '../db/database.ts'
import type { AccountUses } from './account-uses.ts'

/** Returns the scopes of every connection and those of the organization's capabilities and domains. */
export async function neededScopes(
  db: Db,
  { extraScopes }: Pick<AccountUses, 'extraScopes'>,
  orgId: string,
): Promise<string[]> {
  return [...new Set([...CORE_SCOPES, ...(await extraScopes(db, orgId))])]
}
