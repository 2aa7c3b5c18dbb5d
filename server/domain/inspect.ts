import { readCertificate } from '../cloudflare/products/certificates.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { listAddressRecords } from '../cloudflare/products/dns.ts'
import { findDomain } from '../cloudflare/products/domains.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { findZone, type Zone } from '../cloudflare/products/zones.ts'
import { ApiError } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { DomainFacts } from './facts.ts'
import { zonesAbove } from './hostname.ts'

/**
 * Returns the zone that contains the host name, or null. When both a domain and its subdomain are zones, returns the
 * most specific one.
 */
export async function findZoneOf(cloud: Cloud, hostname: string): Promise<Zone | null> {
  for (const name of zonesAbove(hostname)) {
    const zone = await findZone(cloud, name)
    if (zone !== null) return zone
  }
  return null
}

/** Reads the state of a host name from the account and changes nothing. `failedInspection` handles the errors that it throws. */
export async function inspectDomain(
  cloud: Cloud,
  { hostname, service }: { hostname: string; service: string },
): Promise<DomainFacts> {
  const zone = await findZoneOf(cloud, hostname)
  const nothing = { service: null, certificate: null, records: [], failure: null }
  if (zone?.status !== 'active') return { ...nothing, zone }
  const domain = await findDomain(cloud, hostname)
  // Records are read only for a name that is not attached, because an attached name has the provider's own record.
  if (domain === null)
    return { ...nothing, zone, records: await listAddressRecords(cloud, zone.id, hostname) }
  if (domain.service !== service) return { ...nothing, zone, service: domain.service }
  const certificate = await readCertificate(cloud, zone.id, { hostname, packId: domain.certificateId })
  return { ...nothing, zone, service, certificate }
}

/** Converts an error from the account to the result of an inspection. Rethrows any other error. */
export function failedInspection(error: unknown): DomainFacts {
  const state = connectionFailure(error)
  if (state === null) throw error
  const message = error instanceof Error ? error.message : ''
  return { zone: null, service: null, certificate: null, records: [], failure: { state, message } }
}

function connectionFailure(error: unknown): 'needs_reconnect' | 'unreachable' | null {
  // The connection has to be renewed, has no chosen account, or its account has no workers.dev subdomain. Only a person can fix that.
  if (error instanceof ApiError && error.code === 'conflict') return 'needs_reconnect'
  if (!(error instanceof ProviderError)) return null
  const isRefused = error instanceof CloudflareError && [401, 403].includes(error.status ?? 0)
  return isRefused ? 'needs_reconnect' : 'unreachable'
}
