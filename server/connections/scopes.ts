import { capabilityScopes } from '../capability-state/scopes.ts'
import { CORE_SCOPES } from '../cloudflare/permissions.ts'
import type { Db } from '../db/database.ts'
import { hasDomain } from '../sql/domain.ts'

/** The scopes that a custom domain needs in addition to those that every connection requests. */
const DOMAIN_SCOPES = ['zone.write', 'dns.write', 'ssl-and-certificates.write']

/** Returns the scopes that every connection requests and the scopes that the organization's capabilities and domains need. */
export async function neededScopes(db: Db, orgId: string): Promise<string[]> {
  const [ofCapabilities, { with_domain: withDomain }] = await Promise.all([
    capabilityScopes(db, orgId),
    db.selectNoFrom(hasDomain(orgId).as('with_domain')).executeTakeFirstOrThrow(),
  ])
  return [...new Set([...CORE_SCOPES, ...ofCapabilities, ...(withDomain ? DOMAIN_SCOPES : [])])]
}
