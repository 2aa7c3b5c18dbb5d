import { createHash } from 'node:crypto'
import { bundleAdmin } from '../../agent/bundle/bundle.ts'
import { WORKER_COMPATIBILITY } from '../../agent/source/locked-config.ts'
import type { Binding } from '../../cloudflare/products/upload.ts'
import { enableAddress, putWorker, readServing } from '../../cloudflare/products/workers.ts'
import { adminName, liveName } from '../../resource-names.ts'
import { operatorSigner } from '../../capabilities/operator/call.ts'
import { adminBindings, resourcesOf } from '../../capability-catalog/catalog.ts'
import { reserveResource, type ResourceKey, settleResource } from '../../resources/registry.ts'
import { retryWhileTargetsUnseen } from '../../resources/retry.ts'
import type { ResourceWork } from '../../resources/work.ts'

/** Returns whether one of these capabilities stores data that operators read. The admin worker serves this data. */
export function needsAdmin(enabled: ReadonlySet<string>): boolean {
  const project = { slug: '' }
  const name = adminName(project)
  return resourcesOf(enabled, project).some(({ resources }) =>
    resources.some((one) => one.kind === 'worker' && one.name === name),
  )
}

/**
 * Updates the admin worker to the current runtime and bindings. `bound` resolves to the capabilities that the worker
 * serves, once their resources exist.
 */
export async function ensureAdmin(
  work: ResourceWork,
  bound: ReadonlySet<string> | Promise<ReadonlySet<string>>,
): Promise<void> {
  const { platform, cloud, project } = work
  const name = adminName(project)
  const key: ResourceKey = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind: 'worker',
    name,
  }
  const exists = async () => (await readServing(cloud, name)) !== null
  const [enabled, bundle, row] = await Promise.all([
    bound,
    bundleAdmin(),
    reserveResource(platform, key, { tier: 'shared', capability: null, exists }),
  ])
  const { publicKey } = operatorSigner(platform, project)
  const given: Binding[] = [
    { type: 'service', name: 'LIVE', service: liveName(project), entrypoint: 'Operator' },
    { type: 'plain_text', name: 'OPERATOR_KEY', text: publicKey },
    { type: 'plain_text', name: 'AUDIENCE', text: name },
    ...adminBindings(enabled, project),
  ]
  const version = versionOf(bundle.version, given)
  if (row.state === 'ok' && row.version_id === version && (await exists())) return
  await retryWhileTargetsUnseen(() =>
    putWorker(cloud, name, {
      mainModule: bundle.main,
      modules: bundle.modules,
      compatibility: WORKER_COMPATIBILITY,
      bindings: [...given, { type: 'plain_text', name: 'VERSION', text: version }],
      tags: ['slipway', project.id],
    }),
  )
  await enableAddress(cloud, name)
  await settleResource(platform, key, { state: 'ok', versionId: version })
}

/** The version changes with the runtime and the bindings, which include the public key. */
const versionOf = (runtime: string, bindings: Binding[]): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, bindings]))
    .digest('hex')
    .slice(0, 16)
