import { deleteWorker, hasAddress, readServing } from '../../cloudflare/products/workers.ts'
import { workerRole } from '../../resource-names.ts'
import type { ResourceWork } from '../work.ts'
import type { ResourceLifecycle, RegisteredResource } from './kind.ts'

export const workerKind: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => {
    const isReached = row.tier === 'shared' && workerRole(row.name) !== 'live'
    const [serving, isPublic] = await Promise.all([
      readServing(cloud, row.name),
      isReached ? hasAddress(cloud, row.name) : true,
    ])
    if (serving === null) return 'missing'
    // The service calls the admin and the upload worker at their addresses, so each needs its address, which a repair enables again. The
    // address of an app is not checked here: an archived app has none.
    if (isPublic === false) return 'drifted'
    // The row of a shared worker stores the version of its runtime, which the account does not know.
    if (row.tier === 'shared' || row.version_id === null) return 'ok'
    return serving.versionId === row.version_id ? 'ok' : 'drifted'
  },
  make: async (work, row) => {
    if (row.tier === 'shared') await makePlatformWorker(work, row)
    else await work.platform.makers.app(work, row, row.tier)
  },
  remove: (cloud, row) => deleteWorker(cloud, row.name),
}

async function makePlatformWorker(
  work: ResourceWork<'keyring' | 'makers'>,
  row: RegisteredResource,
): Promise<void> {
  const role = workerRole(row.name)
  if (role === null) throw new Error(`nothing makes the worker ${row.name}`)
  await work.platform.makers[role](work)
}
