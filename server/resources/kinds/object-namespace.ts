import { countObjects, findNamespace } from '../../cloudflare/products/workers.ts'
import { deleteWorker } from '../../cloudflare/products/workers.ts'
import type { ResourceLifecycle } from './kind.ts'

/** The class of the project's Durable Objects. Cloudflare ties stored data to this name, so renaming it loses all data. */
export const OBJECT_CLASS = 'AppObject'

/** The project's Durable Objects with all their records. They belong to the script that exports the class and are deleted with it. */
export const objectNamespace: ResourceLifecycle = {
  holdsData: true,
  partOf: 'worker',
  find: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return 'missing'
    // A namespace with the same name and another id has other objects, without the app's records.
    return row.provider_id === null || row.provider_id === id ? 'ok' : 'drifted'
  },
  make: (work) => work.platform.makers.live(work),
  remove: (cloud, row) => deleteWorker(cloud, row.name),
  measure: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return null
    const count = await countObjects(cloud, id)
    return count === 1 ? '1 object' : `${count} objects`
  },
}
