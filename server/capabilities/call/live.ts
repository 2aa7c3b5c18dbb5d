import type { Core } from '../../core.ts'
import type { AccountWorkerParts } from '../../capability-declaration/capability.ts'
import { findResource } from '../../resources/registry.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { callsName } from './declaration.ts'

/** Returns the live worker's settings for audio and video calls, without the secrets. */
export async function readLiveCalls(
  { db }: Core,
  project: Pick<ProjectRef, 'id' | 'org_id' | 'slug'>,
  accountId: string,
): Promise<AccountWorkerParts> {
  const key = { orgId: project.org_id, projectId: project.id, accountId, name: callsName(project) }
  const [app, relay] = await Promise.all([
    findResource(db, { ...key, kind: 'sfu_app' }),
    findResource(db, { ...key, kind: 'turn_key' }),
  ])
  const variables = { SFU_APP_ID: app?.provider_id ?? '', TURN_KEY_ID: relay?.provider_id ?? '' }
  return { variables, bindings: [] }
}
