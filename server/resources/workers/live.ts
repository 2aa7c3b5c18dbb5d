import { createHash } from 'node:crypto'
import { bundleLive } from '../../agent/bundle.ts'
import { COMPATIBILITY, LIVE_OBSERVABILITY } from '../../agent/locked-config.ts'
import { readLiveVariables } from '../../capabilities/switch/variables.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { findNamespace } from '../../cloudflare/durable-objects.ts'
import { deleteWorker, putWorker, readServing } from '../../cloudflare/workers.ts'
import type { Platform } from '../../platform.ts'
import {
  forgetResources,
  listFormerNames,
  reserveResource,
  type ResourceKey,
  settleResource,
} from '../registry.ts'

export const OBJECT_CLASS = 'AppObject'

export const liveName = (project: { slug: string }) => `${project.slug}-live`

interface Shipped {
  id: string
  org_id: string
  slug: string
}

/**
 * Brings the worker that holds the project's objects to today's runtime. `verify` looks into the account even
 * when the registry says that all is well.
 */
export async function ensureLive(
  platform: Platform,
  cloud: Cloud,
  project: Shipped,
  options: { enabled: ReadonlySet<string>; verify: boolean },
): Promise<void> {
  const name = liveName(project)
  const base = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
  const worker: ResourceKey = { ...base, kind: 'worker' }
  const namespace: ResourceKey = { ...base, kind: 'object_namespace' }
  const exists = async () => (await readServing(cloud, name)) !== null
  const [variables, bundle, row] = await Promise.all([
    readLiveVariables(platform.db, project.id),
    bundleLive(options.enabled),
    reserveResource(platform, worker, { tier: 'shared', capability: null, exists }),
  ])
  const version = versionOf(bundle.version, variables)
  // The namespace comes and goes with its script, so it cannot be foreign where the script is ours.
  const objects = await reserveResource(platform, namespace, {
    tier: 'shared',
    capability: null,
    exists: async () => false,
  })
  const isCurrent = row.state === 'ok' && objects.state === 'ok' && row.version_id === version
  if (isCurrent && !(options.verify && !(await exists()))) return
  await putWorker(cloud, name, {
    mainModule: bundle.main,
    modules: bundle.modules,
    compatibility: COMPATIBILITY,
    bindings: [
      { type: 'durable_object_namespace', name: 'OBJECTS', class_name: OBJECT_CLASS },
      ...Object.entries(variables).map(([name, text]) => ({ type: 'plain_text' as const, name, text })),
    ],
    tags: ['slipway', project.id],
    objectClasses: [OBJECT_CLASS],
    observability: LIVE_OBSERVABILITY,
  })
  await settleResource(platform, worker, { state: 'ok', versionId: version })
  const providerId = await findNamespace(cloud, name, OBJECT_CLASS)
  await settleResource(platform, namespace, { state: 'ok', providerId })
  await removeFormer(platform, cloud, project)
}

/** Another runtime or another setting is another version. */
const versionOf = (runtime: string, variables: Record<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, variables]))
    .digest('hex')
    .slice(0, 16)

/** The address follows the name until the first build, so only an object nobody has used yet is left behind. */
async function removeFormer(platform: Platform, cloud: Cloud, project: Shipped): Promise<void> {
  for (const name of await listFormerNames(platform.db, project, cloud.accountId)) {
    await deleteWorker(cloud, name)
    await forgetResources(platform.db, project, { accountId: cloud.accountId, name })
  }
}
