import type { Needs } from '../platform.ts'
import { type Wait, waitForRow } from '../resources/wait.ts'
import { type Deployment, readDeployment } from '../deployments/store.ts'

/** Waits like `waitForRow` until a deployment meets `until`. */
export const waitForDeployment = (
  platform: Needs<'listener'>,
  { orgId, id }: { orgId: string; id: string },
  wait: Wait<Deployment>,
): Promise<Deployment | null> => waitForRow(platform, id, () => readDeployment(platform.db, orgId, id), wait)
