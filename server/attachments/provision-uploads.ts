import { createHash } from 'node:crypto'
import { bundleUploads } from '../agent/bundle/bundle.ts'
import { WORKER_COMPATIBILITY } from '../agent/source/locked-config.ts'
import { readUploadVariables } from '../capability-state/variables.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { bucketExists, deleteBucket, ensureBucket } from '../cloudflare/products/r2.ts'
import type { WorkerUpload } from '../cloudflare/products/upload.ts'
import { deleteWorker, enableAddress, putWorker, readServing } from '../cloudflare/products/workers.ts'
import { retryWhileTargetsUnseen } from '../resources/retry.ts'
import { probe, waitUntilHealthy } from '../resources/probe.ts'
import { findResource, reserveResource, type ResourceKey, settleResource } from '../resources/registry.ts'
import { notFound } from '../http/errors.ts'
import { ProviderError } from '../lib/provider-error.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import type { ProjectRef } from '../resources/work.ts'
import { readStored } from './stored-object.ts'
import { chooseUploadStorage, type UploadStorage } from './upload-storage.ts'

const PROVISION_TIMEOUT_MS = 60_000

/**
 * Returns the upload storage of a project: its bucket and the worker beside it. Creates both at the first call, and repairs them when the
 * worker does not respond. Every step may run twice, so when a call dies halfway, the next call completes its work.
 */
export async function ensureUploads(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  actor: string,
): Promise<UploadStorage> {
  const storage = await chooseUploadStorage(platform, project)
  const bundle = await bundleUploads()
  const variables = await readUploadVariables(platform.db, project.id)
  const version = versionOf(bundle.version, storage, variables)
  const signal = AbortSignal.timeout(PROVISION_TIMEOUT_MS)
  const worker = resourceKeyOf(project, storage, 'worker')
  const row = await findResource(platform.db, worker)
  const isSettled =
    row?.project_id === project.id &&
    row.state === 'ok' &&
    (await probe(storage.url, version, signal)) === null
  if (isSettled) return storage
  const cloud = await platform.accounts.openCloud({ orgId: project.org_id, actor, project, signal })
  try {
    // Create the bucket first: when its name is taken, no worker may be registered.
    await makeBucket(platform, cloud, resourceKeyOf(project, storage, 'bucket'))
    await reserveResource(platform, worker, {
      tier: 'shared',
      capability: null,
      exists: async () => (await readServing(cloud, storage.name)) !== null,
    })
    const upload: WorkerUpload = {
      mainModule: bundle.main,
      modules: bundle.modules,
      compatibility: WORKER_COMPATIBILITY,
      bindings: [
        { type: 'r2_bucket', name: 'BUCKET', bucket_name: storage.name },
        { type: 'plain_text', name: 'UPLOAD_KEY', text: storage.key.publicKey },
        ...Object.entries(variables).map(([name, text]) => ({ type: 'plain_text' as const, name, text })),
        { type: 'plain_text', name: 'VERSION', text: version },
      ],
      tags: ['slipway', project.id],
    }
    const remove = () => deleteWorker(cloud, storage.name)
    await retryWhileTargetsUnseen(() =>
      changeRegistered(platform, worker, () => putWorker(cloud, storage.name, upload), remove),
    )
    await changeRegistered(platform, worker, () => enableAddress(cloud, storage.name), remove)
    // Wait until the worker responds: a new address can take a moment to be reachable everywhere.
    await waitUntilHealthy(storage.url, version, signal)
  } catch (error) {
    if (!signal.aborted) throw error
    throw new ProviderError('cloudflare', 'The upload worker did not come up within a minute. Try again.', {
      cause: error,
    })
  }
  await settleResource(platform, worker, { state: 'ok', versionId: version })
  return storage
}

/** Reads an upload. Repairs the worker and retries when nothing was found; returns null when there is no such object. */
export async function readUpload(
  platform: PlatformPorts<'accounts'>,
  project: ProjectRef,
  storage: UploadStorage,
  request: { key: string; actor: string },
) {
  const stored = await readStored(platform.clock, storage, request.key)
  if (stored !== null) return stored
  const repaired = await ensureUploads(platform, project, request.actor)
  return await readStored(platform.clock, repaired, request.key)
}

async function makeBucket(platform: Core, cloud: Cloud, key: ResourceKey): Promise<void> {
  const row = await reserveResource(platform, key, {
    tier: 'shared',
    capability: null,
    exists: () => bucketExists(cloud, key.name),
  })
  const remove = () => deleteBucket(cloud, key.name)
  await changeRegistered(platform, key, () => ensureBucket(cloud, key.name, row), remove)
  await settleResource(platform, key, { state: 'ok' })
}

/**
 * Creates or changes a registered resource. When the project was deleted during the change, removes the resource and
 * throws 404, whether the change succeeded or not. The registry row was deleted with the project, so nothing else
 * would remove the resource. Call it only after `reserveResource`, which checks that the name is not in use by others.
 */
async function changeRegistered(
  platform: Core,
  key: ResourceKey,
  change: () => Promise<unknown>,
  remove: () => Promise<void>,
): Promise<void> {
  try {
    await change()
  } finally {
    await requireRegistered(platform, key, remove)
  }
}

async function requireRegistered(platform: Core, key: ResourceKey, remove: () => Promise<void>) {
  if ((await findResource(platform.db, key)) !== null) return
  await remove()
  throw notFound('project')
}

const resourceKeyOf = (
  project: ProjectRef,
  storage: UploadStorage,
  kind: ResourceKey['kind'],
): ResourceKey => ({
  orgId: project.org_id,
  projectId: project.id,
  accountId: storage.accountId,
  kind,
  name: storage.name,
})

/** Returns a hash of the worker's code, key and settings. The worker is uploaded again when the deployed worker has a different hash. */
const versionOf = (runtime: string, storage: UploadStorage, variables: object): string =>
  createHash('sha256')
    .update(JSON.stringify([runtime, storage.key.publicKey, variables]))
    .digest('hex')
    .slice(0, 16)
