import type { Cloud } from '../../cloudflare/client.ts'
import { findDomain, removeDomain } from '../../cloudflare/products/domains.ts'
import type { ResourceLifecycle } from './kind.ts'

/** A host name of the account that routes to the project's app. */
export const customDomain: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findDomain(cloud, row.name)
    if (found === null) return 'missing'
    // Another id means that a person attached the name again, perhaps to another worker.
    return row.provider_id === null || row.provider_id === found.id ? 'ok' : 'drifted'
  },
  make: (work) => work.platform.makers.domain(work),
  remove: (cloud, row) => detachOwnDomain(cloud, row),
}

/** Removes the host name from the account if it was attached for this row. Keeps a host name that a person has attached since. */
export async function detachOwnDomain(
  cloud: Cloud,
  attached: { name: string; provider_id: string | null },
): Promise<void> {
  const found = await findDomain(cloud, attached.name)
  const isOurs = found !== null && (attached.provider_id === null || attached.provider_id === found.id)
  if (isOurs) await removeDomain(cloud, found, attached.name)
}
