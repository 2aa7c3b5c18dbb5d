import * as z from 'zod'
import type { PlatformPorts } from '../../platform.ts'
import type { AppTier } from '../../resource-names.ts'
import type { ProjectRef } from '../../resources/work.ts'
import { callOperator } from './call.ts'

export interface CompiledApp {
  hash: string
  manifest: object
}

/**
 * Sends the manifest of a new release to the Durable Objects of the release's tier. For production, also marks the
 * enabled capabilities as deployed, so that the console can read and change their data in the live app. Sends nothing
 * when `app` is null: no enabled capability has data in the objects, or the manifest is invalid. Idempotent.
 */
export async function activateApp(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  release: {
    tier: AppTier
    app: CompiledApp | null
    enabled: ReadonlySet<string>
    signal: AbortSignal
  },
): Promise<void> {
  if (release.app !== null) {
    await callOperator(platform, project, {
      tier: release.tier,
      method: 'POST',
      path: '/release/activate',
      body: release.app,
      repeatable: true,
      result: z.object({ hash: z.string() }),
      signal: release.signal,
    })
  }
  const keys = [...release.enabled]
  // The operator routes work for production only.
  if (keys.length === 0 || release.tier !== 'production') return
  await platform.db
    .updateTable('capabilities')
    .set({ deployed_at: platform.clock.now() })
    .where('project_id', '=', project.id)
    .where('key', 'in', keys)
    // Skips a capability that was disabled during the deployment.
    .where('enabled', '=', true)
    .where('deployed_at', 'is', null)
    .execute()
}

/**
 * Checks that the live app's Durable Objects respond: reads the list of collections, the cheapest request
 * that reaches them. Throws when they do not respond.
 */
export async function pingObjects(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  signal: AbortSignal,
): Promise<void> {
  await callOperator(platform, project, {
    tier: 'production',
    method: 'GET',
    path: '/data/collections',
    result: z.array(z.unknown()),
    signal,
  })
}
