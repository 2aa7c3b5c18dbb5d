import { createHash } from 'node:crypto'
import { bundleLive } from '../../agent/bundle/bundle.ts'
import { WORKER_COMPATIBILITY, LIVE_OBSERVABILITY } from '../../agent/source/locked-config.ts'
import type { Binding } from '../../cloudflare/products/upload.ts'
import {
  deleteWorker,
  findNamespace,
  putWorker,
  readBindings,
  readServing,
  setSecrets,
} from '../../cloudflare/products/workers.ts'
import { OBJECT_CLASS } from '../../resources/kinds/object-namespace.ts'
import { liveName } from '../../resource-names.ts'
import { resourcesOf } from '../../capability-catalog/catalog.ts'
import { readLiveInAccount } from '../../capabilities/switch/in-account.ts'
import { readLiveSecrets } from '../../capabilities/switch/live-secrets.ts'
import { readLiveVariables } from '../../capability-state/variables.ts'
import {
  findResource,
  deleteSharedResourceRows,
  listFormerNames,
  reserveResource,
  type ResourceKey,
  settleResource,
} from '../../resources/registry.ts'
import { retryWhileTargetsUnseen } from '../../resources/retry.ts'
import type { ResourceWork } from '../../resources/work.ts'
import { type Callers, callbackBindings, hasCallbacks } from './callbacks.ts'

/** Returns whether any of these capabilities needs the project's Durable Objects. */
export const needsObjects = (enabled: ReadonlySet<string>): boolean =>
  resourcesOf(enabled, { slug: '' }).some(({ resources }) =>
    resources.some(({ kind }) => kind === 'object_namespace'),
  )

/**
 * Deploys the worker with the project's Durable Objects and their namespace, with the current runtime and settings.
 * `callers` lists, for production and for the preview, the capabilities whose jobs, schedules and webhooks will call
 * the next release (`callbackBindings`).
 */
export async function ensureLive(
  work: ResourceWork<'keyring'>,
  enabled: ReadonlySet<string>,
  callers: Callers = {},
): Promise<void> {
  const { platform, cloud, project } = work
  const name = liveName(project)
  const base = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
  const worker: ResourceKey = { ...base, kind: 'worker' }
  const namespace: ResourceKey = { ...base, kind: 'object_namespace' }
  const exists = async () => (await readServing(cloud, name)) !== null
  const [variables, own, secrets, callbacks, bundle, row] = await Promise.all([
    readLiveVariables(platform.db, project.id),
    readLiveInAccount(platform, project, { accountId: cloud.accountId, enabled }),
    readLiveSecrets(platform, project),
    callbackBindings(work, enabled, callers),
    bundleLive(),
    reserveResource(platform, worker, { tier: 'shared', capability: null, exists }),
  ])
  Object.assign(variables, own.variables)
  const code = codeVersion(bundle.version, variables, [...callbacks, ...own.bindings])
  const versionId = `${code}.${secrets.version}`
  // The owner of the namespace is not checked: the namespace belongs to the worker above, whose row was reserved for this project.
  const objects = await reserveResource(platform, namespace, {
    tier: 'shared',
    capability: null,
    exists: async () => false,
  })
  const isCurrent = row.state === 'ok' && objects.state === 'ok' && row.version_id?.split('.')[0] === code
  const bound = isCurrent ? await readBindings(cloud, name) : null
  // Compares with the bindings in the account, because a lost response or a change by hand makes the row wrong.
  if (bound !== null && hasCallbacks(bound, callbacks)) return await syncLiveSecrets(work)
  const upload = {
    mainModule: bundle.main,
    modules: bundle.modules,
    compatibility: WORKER_COMPATIBILITY,
    bindings: [
      { type: 'durable_object_namespace' as const, name: 'OBJECTS', class_name: OBJECT_CLASS },
      ...callbacks,
      ...own.bindings,
      ...Object.entries(variables).map(([name, text]) => ({ type: 'plain_text' as const, name, text })),
      ...Object.entries(secrets.values).map(([name, text]) => ({ type: 'secret_text' as const, name, text })),
    ],
    tags: ['slipway', project.id],
    objectClasses: [OBJECT_CLASS],
    observability: LIVE_OBSERVABILITY,
  }
  await retryWhileTargetsUnseen(() => putWorker(cloud, name, upload))
  await settleResource(platform, worker, { state: 'ok', versionId })
  const providerId = await findNamespace(cloud, name, OBJECT_CLASS)
  await settleResource(platform, namespace, { state: 'ok', providerId })
  await removeFormerLiveWorkers(work)
}

/** Returns whether the account has the project's live worker. */
export async function isLiveDeployed({ cloud, project }: ResourceWork): Promise<boolean> {
  return (await readServing(cloud, liveName(project))) !== null
}

/**
 * Gives the live worker the secrets of enabled capabilities when they have changed. Does nothing while the worker does not exist, because
 * its upload includes the secrets.
 */
async function syncLiveSecrets({ platform, cloud, project }: ResourceWork<'keyring'>): Promise<void> {
  const name = liveName(project)
  const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, name }
  const row = await findResource(platform.db, { ...key, kind: 'worker' })
  const code = row?.state === 'ok' ? row.version_id?.split('.')[0] : undefined
  if (code === undefined) return
  const secrets = await readLiveSecrets(platform, project)
  const versionId = `${code}.${secrets.version}`
  if (row?.version_id === versionId) return
  await setSecrets(cloud, name, secrets.values)
  await settleResource(platform, { ...key, kind: 'worker' }, { state: 'ok', versionId })
}

/** The version changes with the runtime, the settings and the bindings. */
const codeVersion = (runtime: string, variables: Record<string, string>, bindings: Binding[]): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, variables, bindings]))
    .digest('hex')
    .slice(0, 16)

/**
 * Deletes live workers named after an earlier slug. The slug is fixed from the first build on, so the objects of these
 * workers were never used.
 */
async function removeFormerLiveWorkers({ platform, cloud, project }: ResourceWork): Promise<void> {
  for (const name of await listFormerNames(platform.db, project, cloud.accountId)) {
    await deleteWorker(cloud, name)
    await deleteSharedResourceRows(platform.db, project, { accountId: cloud.accountId, name })
  }
}
