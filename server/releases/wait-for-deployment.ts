import type { Needs } from '../platform.ts'
import { type Wait, waitForRow } from '../resources/wait.ts'
import { type Deployment, readDeployment } from '../deployments/store.ts'

/** How long a request or a build waits for a deployment, whose job continues after it. */
export const DEPLOYMENT_WAIT_MS = 60_000

/** Waits like `waitForRow` until a deployment meets `until`. */
export const waitForDeployment = (
  platform: Needs<'listener'>,
  { orgId, deploymentId }: { orgId: string; deploymentId: string },
  wait: Wait<Deployment>,
): Promise<Deployment | null> =>
  waitForRow(platform, deploymentId, () => readDeployment(platform.db, orgId, deploymentId), wait)
