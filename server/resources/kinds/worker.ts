import { makeAdmin } from '../../capabilities/switch/make-admin.ts'
import { ensureUploads } from '../../attachments/provision-uploads.ts'
import { deleteWorker, readServing } from '../../cloudflare/workers.ts'
import { republishApp } from '../../releases/republish.ts'
import type { Kind, Making, Registered } from './kind.ts'
import { makeLive } from './make-live.ts'

/** A script: the app of a tier, or one of the fixed workers beside it. */
export const worker: Kind = {
  holdsData: false,
  find: async (cloud, row) => {
    const serving = await readServing(cloud, row.name)
    if (serving === null) return 'missing'
    // The fixed workers are kept by the version of their runtime, which the account does not know.
    if (row.tier === 'shared' || row.version_id === null) return 'ok'
    return serving.versionId === row.version_id ? 'ok' : 'drifted'
  },
  make: async (work, row) => {
    if (row.tier !== 'shared') await republishApp(work, row, row.tier)
    else await makeFixed(work, row)
  },
  remove: (cloud, row) => deleteWorker(cloud, row.name),
}

/** The fixed workers, by the end of their name. */
const FIXED: Readonly<Record<string, (work: Making) => Promise<unknown>>> = {
  live: makeLive,
  admin: makeAdmin,
  assets: ({ platform, project, actor }) => ensureUploads(platform, project, actor),
}

async function makeFixed(work: Making, row: Registered): Promise<void> {
  const make = FIXED[row.name.slice(row.name.lastIndexOf('-') + 1)]
  if (make === undefined) throw new Error(`nothing makes the worker ${row.name}`)
  await make(work)
}
