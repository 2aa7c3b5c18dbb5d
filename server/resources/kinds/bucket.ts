import {
  bucketExists,
  deleteBucket,
  deleteObject,
  ensureBucket,
  listObjects,
} from '../../cloudflare/products/r2.ts'
import { resourceKey, settleResource } from '../registry.ts'
import type { ResourceLifecycle } from './kind.ts'

const EMPTYING_MS_MAX = 15_000
// About as many objects as `empty` can delete when no worker is bound to the bucket: each object then needs a separate request.
const ONE_BY_ONE_MAX = 100
const COUNTED_OBJECTS_MAX = 1_000

export const bucketKind: ResourceLifecycle = {
  holdsData: true,
  find: async (cloud, row) => ((await bucketExists(cloud, row.name)) ? 'ok' : 'missing'),
  make: async ({ platform, cloud, project }, row) => {
    await ensureBucket(cloud, row.name, row)
    await settleResource(platform, resourceKey(project, row), { state: 'ok' })
  },
  empty: async ({ platform, cloud, project, actor, ...work }, row, rows) => {
    const signal = AbortSignal.any([work.signal, AbortSignal.timeout(EMPTYING_MS_MAX)])
    const workers = rows.filter(({ kind }) => kind === 'worker')
    const taken = await platform.buckets.empty(platform, project, [row, ...workers], {
      actor,
      signal,
    })
    const { objects } = await listObjects(cloud, row.name, COUNTED_OBJECTS_MAX)
    const some = objects.slice(0, ONE_BY_ONE_MAX)
    for (const { key } of some) await deleteObject(cloud, row.name, key)
    return { taken: filesText(taken + some.length), left: objects.length - some.length }
  },
  remove: (cloud, row) => deleteBucket(cloud, row.name),
  measure: async (cloud, row) => {
    const { objects, isAll } = await listObjects(cloud, row.name, COUNTED_OBJECTS_MAX)
    const bytes = objects.reduce((sum, { size }) => sum + (size ?? 0), 0)
    return `${isAll ? '' : 'at least '}${filesText(objects.length)}, ${bytes} bytes`
  },
}

const filesText = (files: number) => (files === 1 ? '1 file' : `${files} files`)
