import { createHash } from 'node:crypto'
import { bundleAdmin } from '../../agent/bundle.ts'
import { COMPATIBILITY } from '../../agent/locked-config.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import type { Binding } from '../../cloudflare/upload.ts'
import { enableAddress, putWorker, readServing } from '../../cloudflare/workers.ts'
import { onceTargetsAreSeen } from '../../releases/app-worker.ts'
import { reserveResource, type ResourceKey, settleResource } from '../registry.ts'
import type { Platform } from '../../platform.ts'
import { operatorDoor, sharedObject } from '../../capabilities/capability.ts'
import { capabilitiesOf } from '../../capabilities/catalog.ts'
import type { Provisioned } from '../../capabilities/switch/make-resources.ts'
import { operatorSigner } from '../../capabilities/operator/key.ts'

/**
 * Brings the worker that answers the operator to today's runtime and bindings. The objects it is bound to are there
 * already. `verify` looks into the account even when the registry says that all is well.
 */
export async function ensureAdmin(
  platform: Platform,
  cloud: Cloud,
  project: Provisioned,
  options: { enabled: ReadonlySet<string>; verify: boolean },
): Promise<void> {
  const { kind, name } = operatorDoor(project)
  const key: ResourceKey = {
    orgId: project.org_id,
    projectId: project.id,
    accountId: cloud.accountId,
    kind,
    name,
  }
  const exists = async () => (await readServing(cloud, name)) !== null
  const [bundle, row] = await Promise.all([
    bundleAdmin(),
    reserveResource(platform, key, { tier: 'shared', capability: null, exists }),
  ])
  const { publicKey } = operatorSigner(platform, project)
  const given: Binding[] = [
    { type: 'service', name: 'LIVE', service: sharedObject(project).name, entrypoint: 'Operator' },
    { type: 'plain_text', name: 'OPERATOR_KEY', text: publicKey },
    { type: 'plain_text', name: 'AUDIENCE', text: name },
    ...capabilitiesOf(options.enabled).flatMap((one) => one.operatorBindings(project)),
  ]
  const version = versionOf(bundle.version, given)
  const isCurrent = row.state === 'ok' && row.version_id === version
  if (isCurrent && !(options.verify && !(await exists()))) return
  await onceTargetsAreSeen(() =>
    putWorker(cloud, name, {
      mainModule: bundle.main,
      modules: bundle.modules,
      compatibility: COMPATIBILITY,
      bindings: [...given, { type: 'plain_text', name: 'VERSION', text: version }],
      tags: ['slipway', project.id],
    }),
  )
  await enableAddress(cloud, name)
  await settleResource(platform, key, { state: 'ok', versionId: version })
}

/** Another runtime, another key or another binding is another version. */
const versionOf = (runtime: string, bindings: Binding[]): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, bindings]))
    .digest('hex')
    .slice(0, 16)
