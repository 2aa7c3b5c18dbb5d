import * as z from 'zod'
import type { Cloud } from './client.ts'

const Pack = z.looseObject({ id: z.string(), hosts: z.array(z.string()), status: z.string() })

const PER_PAGE = 50
const PAGES_MAX = 10

/**
 * Returns the provider's status for a host name's certificate: of the pack with this id, else of one for exactly this name, else of one
 * that covers the name. Null when there is none.
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
  // Prefers an active pack, because a name may also have an old one.
  return (candidates.find(({ status }) => status === 'active') ?? candidates[0])?.status ?? null
}

async function listPacks(cloud: Cloud, zoneId: string): Promise<z.output<typeof Pack>[]> {
  const found: z.output<typeof Pack>[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const packs = await cloud.call({
      method: 'GET',
      path: `/zones/${encodeURIComponent(zoneId)}/ssl/certificate_packs`,
      // Without `status: all` only packs in use are listed.
      query: { status: 'all', page: String(page), per_page: String(PER_PAGE) },
      doing: 'read the certificates of the domain',
      result: z.array(Pack),
    })
    found.push(...packs)
    if (packs.length < PER_PAGE) break
  }
  return found
}
