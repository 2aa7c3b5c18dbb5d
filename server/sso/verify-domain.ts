import { Resolver } from 'node:dns/promises'
import type { Config } from '../config.ts'
import { databaseErrorCode, transact } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import type { Context } from '../endpoint.ts'
import { conflict, notFound } from '../http/errors.ts'
import { loadProvider, record, txtRecord } from './provider.ts'

const DNS_MS_MAX = 5_000
const UNIQUE_VIOLATION = '23505'

/**
 * Looks up the TXT record of each domain that is not verified yet. Returns whether all domains are verified.
 * Throws 409 for a domain that another organization has verified.
 */
export async function verifyDomains(ctx: Context<'config'>): Promise<{ domainVerified: boolean }> {
  const { organizationId } = ctx.caller
  const asked = await loadProvider(ctx.db, organizationId)
  if (asked === null) throw notFound('single sign-on provider')
  const open = asked.domains.filter(({ isVerified }) => !isVerified)
  const answers = await Promise.all(
    open.map(async ({ domain }) => {
      const { name, value } = txtRecord(asked, domain)
      return (await txtRecords(ctx.config, name)).includes(value) ? [domain] : []
    }),
  )
  const proven = answers.flat()
  return transact(ctx.db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const row = await loadProvider(trx, organizationId)
    // The provider was replaced meanwhile, and the records that were found belong to the old provider.
    if (row?.providerId !== asked.providerId) return { domainVerified: row?.domainVerified ?? false }
    if (proven.length > 0)
      await trx
        .updateTable('sso_domains')
        .set({ verified_at: ctx.clock.now() })
        .where('org_id', '=', organizationId)
        .where('domain', 'in', proven)
        .execute()
    const domainVerified = row.domains.every(
      ({ domain, isVerified }) => isVerified || proven.includes(domain),
    )
    if (domainVerified && !row.domainVerified) {
      await trx
        .updateTable('ssoProvider')
        .set({ domainVerified })
        .where('organizationId', '=', organizationId)
        .execute()
      await record(ctx, trx, 'sso.verified', row.domains.map(({ domain }) => domain).join(', '))
    }
    return { domainVerified }
  }).catch((error: unknown) => {
    if (databaseErrorCode(error) !== UNIQUE_VIOLATION) throw error
    throw conflict('Another organization has verified one of these domains.')
  })
}

/**
 * Returns the texts of a name's TXT records, each joined from its pieces. Returns an empty list when the DNS server does not respond in
 * time.
 */
async function txtRecords({ dnsServers }: Config, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: DNS_MS_MAX, tries: 1 })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const late = setTimeout(() => resolver.cancel(), DNS_MS_MAX)
  try {
    return (await resolver.resolveTxt(name)).map((pieces) => pieces.join(''))
  } catch {
    return []
  } finally {
    clearTimeout(late)
  }
}
