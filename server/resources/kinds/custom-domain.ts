import { findDomain } from '../../cloudflare/domains.ts'
import { attach } from '../../domain/attach.ts'
import { detachOurs } from '../../domain/detach.ts'
import type { Kind } from './kind.ts'

const PATIENCE_MS = 10_000

/** A host name of the account that leads to the project's app. */
export const customDomain: Kind = {
  holdsData: false,
  find: async (cloud, row) => {
    const found = await findDomain(cloud, row.name)
    if (found === null) return 'missing'
    // Another id means that somebody attached the name anew, perhaps to another worker.
    return row.provider_id === null || row.provider_id === found.id ? 'ok' : 'drifted'
  },
  make: ({ platform, cloud, project }) => attach(platform, cloud, project, PATIENCE_MS),
  remove: (cloud, row) => detachOurs(cloud, row),
}
