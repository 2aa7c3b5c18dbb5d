import { countObjects, findNamespace } from '../../cloudflare/durable-objects.ts'
import { deleteWorker } from '../../cloudflare/workers.ts'
import { OBJECT_CLASS } from '../workers/live.ts'
import type { Kind } from './kind.ts'
import { makeLive } from './make-live.ts'

/** The project's objects with all their records; the script that holds the class owns them. */
export const objectNamespace: Kind = {
  holdsData: true,
  partOf: 'worker',
  find: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return 'missing'
    // Another id under the same name is another set of objects.
    return row.provider_id === null || row.provider_id === id ? 'ok' : 'drifted'
  },
  make: makeLive,
  remove: (cloud, row) => deleteWorker(cloud, row.name),
  measure: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return null
    const count = await countObjects(cloud, id)
    return count === 1 ? '1 object' : `${count} objects`
  },
}
