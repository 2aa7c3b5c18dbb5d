import type { Cloud } from '../cloudflare/client.ts'
import { enableAddress } from '../cloudflare/workers.ts'
import type { Platform } from '../platform.ts'
import { appName } from './app-worker.ts'
import type { Owner } from '../resources/kinds/kind.ts'
import { type Deployment, latestDeployment } from './store.ts'

/** A project that was archived kept its worker and lost its address. */
export async function restoreAddress(
  platform: Platform,
  cloud: Cloud,
  project: Owner,
  tier: Deployment['tier'],
): Promise<void> {
  const served = await latestDeployment(platform.db, project, tier, ['superseded'])
  if (served !== null) await enableAddress(cloud, appName(project, tier))
}
