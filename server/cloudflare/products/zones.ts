import * as z from 'zod'
import type { Cloud } from '../client.ts'

const Zone = z.looseObject({
  id: z.string().min(1),
  name: z.string(),
  status: z.string(),
  // Null for zones whose DNS is hosted elsewhere.
  name_servers: z.array(z.string()).nullish(),
})

/** A domain of the account. It is `active` once its name servers are those of the provider. */
export interface Zone {
  id: string
  name: string
  status: string
  nameServers: string[]
}

/**
 * Returns the zone of this name in the connected account, or null. The account is checked, because a credential may also see zones of other
 * accounts.
 */
export async function findZone(cloud: Cloud, name: string): Promise<Zone | null> {
  const zones = await cloud.call({
    method: 'GET',
    path: '/zones',
    query: { name, 'account.id': cloud.accountId },
    doing: `look up the domain ${name}`,
    result: z.array(Zone),
  })
  const found = zones.find((zone) => zone.name.toLowerCase() === name)
  if (found === undefined) return null
  return { id: found.id, name, status: found.status, nameServers: found.name_servers ?? [] }
}

const PAGE_SIZE = 50
const PAGES_MAX = 20

export async function listZones(cloud: Cloud): Promise<Omit<Zone, 'nameServers'>[]> {
  const zones: z.output<typeof Zone>[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const some = await cloud.call({
      method: 'GET',
      path: '/zones',
      query: { 'account.id': cloud.accountId, page: String(page), per_page: String(PAGE_SIZE) },
      doing: 'list the domains of the account',
      result: z.array(Zone),
    })
    zones.push(...some)
    if (some.length < PAGE_SIZE) break
  }
  return zones
    .map(({ id, name, status }) => ({ id, name, status }))
    .toSorted((a, b) => a.name.localeCompare(b.name))
}

/** Asks the provider to check the domain's name servers again. The provider accepts this request only once in several minutes. */
export async function checkActivation(cloud: Cloud, zone: Pick<Zone, 'id' | 'name'>): Promise<void> {
  await cloud.call({
    method: 'PUT',
    path: `/zones/${encodeURIComponent(zone.id)}/activation_check`,
    doing: `check the name servers of ${zone.name}`,
    result: z.unknown(),
    write: null,
    retry: 'job',
  })
}
