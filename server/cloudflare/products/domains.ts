import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { CloudflareError } from '../errors.ts'

const Domain = z.looseObject({
  id: z.string().min(1),
  hostname: z.string(),
  service: z.string(),
  cert_id: z.string().nullish(),
})

export interface CustomDomain {
  id: string
  service: string
  certificateId: string | null
}

/** The provider's error code for a name that already has DNS records. */
const FOREIGN_RECORD = 100117

const DOMAINS_PATH = '/accounts/:account/workers/domains'

/**
 * Returns the custom domain of a host name, or null. `hostname` must be in lower case, because Cloudflare's names are
 * converted to lower case before the comparison.
 */
export async function findDomain(cloud: Cloud, hostname: string): Promise<CustomDomain | null> {
  const domains = await cloud.call({
    method: 'GET',
    path: DOMAINS_PATH,
    query: { hostname },
    doing: `read which worker serves ${hostname}`,
    result: z.array(Domain),
  })
  const found = domains.find((domain) => domain.hostname.toLowerCase() === hostname)
  return found === undefined ? null : toDomain(found)
}

/**
 * Attaches a host name to a worker and orders its certificate. Idempotent. Throws `name_taken` when the name has other DNS records, which
 * are never overwritten.
 */
export async function attachDomain(
  cloud: Cloud,
  domain: { hostname: string; service: string; zoneId: string },
): Promise<CustomDomain> {
  const { hostname, service, zoneId } = domain
  try {
    const made = await cloud.call({
      method: 'PUT',
      path: DOMAINS_PATH,
      json: { hostname, service, zone_id: zoneId, environment: 'production' },
      doing: `attach ${hostname} to the worker ${service}`,
      result: Domain,
      write: { action: 'domain.attach', target: hostname },
    })
    return toDomain(made)
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.providerCode !== FOREIGN_RECORD) throw error
    const message = `${hostname} already has a DNS record of its own, which is not overwritten. Remove it at Cloudflare, then attach the domain.`
    throw new CloudflareError('name_taken', message, { status: error.status, cause: error })
  }
}

/** Detaches a host name and removes its DNS record and certificate. Succeeds when the name is not attached. */
export async function removeDomain(
  cloud: Cloud,
  domain: Pick<CustomDomain, 'id'>,
  hostname: string,
): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: `${DOMAINS_PATH}/${encodeURIComponent(domain.id)}`,
    doing: `detach ${hostname} from its worker`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'domain.detach', target: hostname },
  })
}

const toDomain = ({ id, service, cert_id }: z.output<typeof Domain>): CustomDomain => ({
  id,
  service,
  certificateId: cert_id ?? null,
})
