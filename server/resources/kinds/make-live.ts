import { enabledCapabilities } from '../../capabilities/switch/enabled.ts'
import { ensureLive } from '../workers/live.ts'
import type { Making } from './kind.ts'

/** Brings the worker that holds the project's objects back, with its namespace; what is on decides what it holds. */
export async function makeLive({ platform, cloud, project }: Making): Promise<void> {
  const enabled = await enabledCapabilities(platform.db, project.id)
  await ensureLive(platform, cloud, project, { enabled, verify: true })
}
