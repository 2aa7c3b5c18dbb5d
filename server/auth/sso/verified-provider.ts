import { domainToASCII } from 'node:url'
import type { Db, Trx } from '../../db/database.ts'

/**
 * Returns the domain of an e-mail address in its ASCII form, or null for text that is not a plain address. Refuses the
 * characters at which the URL parser behind `domainToASCII` ends or decodes a host: `domainToASCII` would return only
 * the beginning of the domain.
 */
export function emailDomain(email: string): string | null {
  const [, domain] = /^[^\s@<>(),;:"\\]+@([^\s@<>(),;:"\\/?#%[\]]+)$/.exec(email.trim()) ?? []
  return domain === undefined ? null : domainToASCII(domain.toLowerCase()) || null
}

/**
 * Returns the identity provider that may sign in people of exactly this domain, not of a parent domain or
 * subdomain. Returns null when there is none.
 */
export async function verifiedProvider(
  db: Db | Trx,
  domain: string,
): Promise<{ providerId: string; organizationId: string; isOidc: boolean } | null> {
  const row = await db
    .selectFrom('sso_domains as d')
    .innerJoin('ssoProvider as p', 'p.organizationId', 'd.org_id')
    .select((eb) => ['p.providerId', 'p.organizationId', eb('p.oidcConfig', 'is not', null).as('isOidc')])
    .where('d.domain', '=', domain)
    .where('d.verified_at', 'is not', null)
    .where('p.domainVerified', '=', true)
    .executeTakeFirst()
  return row === undefined ? null : { ...row, isOidc: Boolean(row.isOidc) }
}
