import type { ReleasePort } from '../resources/ports.ts'
import { deployJob } from './deploy-job.ts'
import { recordOffline } from './outcome.ts'
import { rebindApps } from './rebind.ts'
import { previewJob } from './preview-job.ts'
import { latestDeployment } from './store.ts'
import { connectServing } from './wire.ts'

export const releasePort: ReleasePort = {
  serving: (db, project, tier) => latestDeployment(db, project, tier, ['live']),
  hasServed: async (db, project, tier) =>
    (await latestDeployment(db, project, tier, ['live', 'superseded'])) !== null,
  isShipping: async (db, project) =>
    (await latestDeployment(db, project, 'production', ['deploying'])) !== null,
  rebind: rebindApps,
  connect: connectServing,
  recordOffline,
  queuePreview: (platform, trx, project) => platform.jobs.send(trx, previewJob, project),
  queueTask: (platform, trx, task) => platform.jobs.send(trx, deployJob, task),
}
