import * as z from 'zod'
import type { Cloud } from '../client.ts'

const Pack = z.looseObject({ id: z.string(), hosts: z.array(z.string()), status: z.string() })

const PER_PAGE = 50
const PAGES_MAX = 10

/**
 * Returns the provider's status of a host name's certificate, or null when there is none. Of several certificate
 * packs, prefers an active pack, then the pack with the id `packId`, then a pack for exactly this name, then a
 * wildcard.
 */
export async function readCertificate(
  cloud: Cloud,
  zoneId: string,
  wanted: { hostname: string; packId: string | null },
): Promise<string | null> {
  const { hostname, packId } = wanted
  const wildcard = `*${hostname.slice(hostname.indexOf('.'))}`
  const packs = await listPacks(cloud, zoneId)
  const packsOfHost = (host: string) => packs.filter((pack) => pack.hosts.includes(host))
  const candidates = [
    ...packs.filter(({ id }) => id === packId),
    ...packsOfHost(hostname),
    ...packsOfHost(wildcard),
  ]
  return (candidates.find(({ status }) => status === 'active') ?? candidates[0])?.status ?? null
}

async function listPacks(cloud: Cloud, zoneId: string): Promise<z.output<typeof Pack>[]> {
  const found: z.output<typeof Pack>[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const packs = await cloud.call({
      method: 'GET',
      path: `/zones/${encodeURIComponent(zoneId)}/ssl/certificate_packs`,
      // Without `status: all` Cloudflare lists only the packs in use.
      query: { status: 'all', page: String(page), per_page: String(PER_PAGE) },
      doing: 'read the certificates of the domain',
      result: z.array(Pack),
    })
    found.push(...packs)
    if (packs.length < PER_PAGE) break
  }
  return found
}
