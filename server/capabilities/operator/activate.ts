import * as z from 'zod'
import { readManifest } from '../../agent/manifest.ts'
import type { AppTree } from '../../agent/tree.ts'
import { compileApp } from '../../agent/typegen.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import type { Platform } from '../../platform.ts'
import { ensureAdmin } from '../../resources/workers/admin.ts'
import { operatorDoor, type Tier } from '../capability.ts'
import { capabilitiesOf } from '../catalog.ts'
import type { Provisioned } from '../switch/make-resources.ts'
import { callOperator } from './call.ts'

/** Looks, before a release goes up, whether the operator's worker is there and of today's runtime. */
export async function prepareApp(
  platform: Platform,
  cloud: Cloud,
  project: Provisioned,
  enabled: ReadonlySet<string>,
): Promise<void> {
  if (hasDoor(enabled)) await ensureAdmin(platform, cloud, project, { enabled, verify: true })
}

/**
 * Tells the objects of the live app which release serves, and opens the reads of its capabilities. Previews have no
 * operator. May run twice.
 */
export async function activateApp(
  platform: Platform,
  project: Provisioned,
  release: { tier: Tier; tree: AppTree; enabled: ReadonlySet<string>; signal: AbortSignal },
): Promise<void> {
  if (release.tier !== 'production') return
  const read = readManifest(release.tree.get('app.json') ?? '')
  if (hasDoor(release.enabled) && read.ok) {
    await callOperator(platform, project, {
      tier: release.tier,
      method: 'POST',
      path: '/release/activate',
      body: compileApp(read.manifest),
      repeatable: true,
      result: z.object({ hash: z.string() }),
      signal: release.signal,
    })
  }
  const keys = [...release.enabled]
  if (keys.length === 0) return
  await platform.db
    .updateTable('capabilities')
    .set({ deployed_at: platform.clock.now() })
    .where('project_id', '=', project.id)
    .where('key', 'in', keys)
    // One that was switched off meanwhile does not serve.
    .where('enabled', '=', true)
    .where('deployed_at', 'is', null)
    .execute()
}

const hasDoor = (enabled: ReadonlySet<string>): boolean => {
  const door = operatorDoor({ slug: '' })
  return capabilitiesOf(enabled).some((one) =>
    one.resources({ slug: '' }).some(({ kind, name }) => kind === door.kind && name === door.name),
  )
}
