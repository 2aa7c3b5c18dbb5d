import { countObjects, findNamespace } from '../../cloudflare/durable-objects.ts'
import { deleteWorker } from '../../cloudflare/workers.ts'
import { hooks } from '../hooks.ts'
import type { Kind } from './kind.ts'

/** The one class of the project's objects. Cloudflare ties stored data to its name: renaming it loses all data. */
export const OBJECT_CLASS = 'AppObject'

/** The project's objects with all their records. They belong to the script that exports the class and are deleted with it. */
export const objectNamespace: Kind = {
  holdsData: true,
  partOf: 'worker',
  find: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return 'missing'
    // Another id under the same name is another set of objects, without the records.
    return row.provider_id === null || row.provider_id === id ? 'ok' : 'drifted'
  },
  make: (work) => hooks().makers.live(work),
  remove: (cloud, row) => deleteWorker(cloud, row.name),
  measure: async (cloud, row) => {
    const id = await findNamespace(cloud, row.name, OBJECT_CLASS)
    if (id === null) return null
    const count = await countObjects(cloud, id)
    return count === 1 ? '1 object' : `${count} objects`
  },
}
