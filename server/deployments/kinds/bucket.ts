import { bucketExists, deleteBucket, ensureBucket, listObjects, PER_PAGE } from '../../cloudflare/r2.ts'
import { keyOf, settleResource } from '../registry.ts'
import type { Kind } from './kind.ts'

/** A bucket of files. */
export const bucket: Kind = {
  holdsData: true,
  find: async (cloud, row) => ((await bucketExists(cloud, row.name)) ? 'ok' : 'missing'),
  make: async ({ platform, cloud, project }, row) => {
    await ensureBucket(cloud, row.name)
    await settleResource(platform, keyOf(project, row), { state: 'ok' })
  },
  remove: (cloud, row) => deleteBucket(cloud, row.name),
  measure: async (cloud, row) => {
    const objects = await listObjects(cloud, row.name)
    const bytes = objects.reduce((sum, { size }) => sum + (size ?? 0), 0)
    const files = objects.length === 1 ? '1 file' : `${objects.length} files`
    return `${objects.length < PER_PAGE ? '' : 'at least '}${files}, ${bytes} bytes`
  },
}
