import { bucketExists, deleteBucket, ensureBucket } from '../../cloudflare/r2.ts'
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
}
