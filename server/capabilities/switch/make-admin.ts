import type { Making } from '../../resources/kinds/kind.ts'
import { ensureAdmin } from '../../resources/workers/admin.ts'
import { enabledCapabilities } from './enabled.ts'

/** Brings the worker that answers the operator back; what is on decides what it is bound to. */
export async function makeAdmin({ platform, cloud, project }: Making): Promise<void> {
  const enabled = await enabledCapabilities(platform.db, project.id)
  await ensureAdmin(platform, cloud, project, { enabled, verify: true })
}
