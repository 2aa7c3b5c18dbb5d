import { createHash } from 'node:crypto'
import { bundleLive } from '../../agent/bundle/bundle.ts'
import { COMPATIBILITY, LIVE_OBSERVABILITY } from '../../agent/source/locked-config.ts'
import { findNamespace } from '../../cloudflare/durable-objects.ts'
import { deleteWorker, putWorker, readServing } from '../../cloudflare/workers.ts'
import { OBJECT_CLASS } from '../../resources/kinds/object-namespace.ts'
import { liveName } from '../../resources/names.ts'
import { parts } from '../../resources/parts.ts'
import {
  forgetResources,
  listFormerNames,
  reserveResource,
  type ResourceKey,
  settleResource,
} from '../../resources/registry.ts'
import type { Work } from '../../resources/work.ts'

/** Whether any of these capabilities needs the project's object class. */
export const needsObjects = (enabled: ReadonlySet<string>): boolean =>
  parts()
    .capabilities.needs(enabled, { slug: '' })
    .some(({ resources }) => resources.some(({ kind }) => kind === 'object_namespace'))

/** Brings the worker that holds the project's objects to the current runtime and settings, with its namespace. */
export async function ensureLive(work: Work, enabled: ReadonlySet<string>): Promise<void> {
  const { platform, cloud, project } = work
  const name = liveName(project)
  const base = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
  const worker: ResourceKey = { ...base, kind: 'worker' }
  const namespace: ResourceKey = { ...base, kind: 'object_namespace' }
  const exists = async () => (await readServing(cloud, name)) !== null
  const [variables, bundle, row] = await Promise.all([
    parts().capabilities.liveVariables(platform.db, project.id),
    bundleLive(enabled),
    reserveResource(platform, worker, { tier: 'shared', capability: null, exists }),
  ])
  const version = versionOf(bundle.version, variables)
  // The namespace belongs to its script, so it cannot be foreign where the script is ours.
  const objects = await reserveResource(platform, namespace, {
    tier: 'shared',
    capability: null,
    exists: async () => false,
  })
  const isCurrent = row.state === 'ok' && objects.state === 'ok' && row.version_id === version
  if (isCurrent && (await exists())) return
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
  await removeFormer(work)
}

/** A new runtime or a changed setting gives another version. */
const versionOf = (runtime: string, variables: Record<string, string>): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, variables]))
    .digest('hex')
    .slice(0, 16)

/** The name follows the slug until the first build, so only objects that were never used are removed. */
async function removeFormer({ platform, cloud, project }: Work): Promise<void> {
  for (const name of await listFormerNames(platform.db, project, cloud.accountId)) {
    await deleteWorker(cloud, name)
    await forgetResources(platform.db, project, { accountId: cloud.accountId, name })
  }
}
