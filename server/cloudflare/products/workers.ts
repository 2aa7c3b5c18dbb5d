import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { CloudflareError } from '../errors.ts'
import { type Binding, settingsForm, uploadForm, type WorkerUpload } from './upload.ts'

const UPLOAD_TIMEOUT_MS = 120_000

const Deployments = z.looseObject({
  deployments: z.array(
    z.looseObject({
      id: z.string(),
      versions: z.array(z.looseObject({ version_id: z.string(), percentage: z.number() })),
    }),
  ),
})

const Version = z.looseObject({
  id: z.string(),
  annotations: z.looseObject({ 'workers/tag': z.string().optional() }).nullish(),
})

const scriptPath = (name: string) => `/accounts/:account/workers/scripts/${encodeURIComponent(name)}`

/**
 * Returns the id of the worker's deployed version. `versionId` is null before the first deployment. Returns null when
 * there is no such worker.
 */
export async function readServing(cloud: Cloud, name: string): Promise<{ versionId: string | null } | null> {
  const response = await cloud.call({
    method: 'GET',
    path: `${scriptPath(name)}/deployments`,
    doing: `look up the worker ${name}`,
    result: Deployments,
    missing: 'null',
  })
  if (response === null) return null
  return { versionId: response.deployments[0]?.versions[0]?.version_id ?? null }
}

/** Creates or replaces a worker and deploys the new code at once. Idempotent. */
export async function putWorker(cloud: Cloud, name: string, upload: WorkerUpload): Promise<void> {
  await cloud.call({
    method: 'PUT',
    path: scriptPath(name),
    query: { bindings_inherit: 'strict' },
    form: () => uploadForm(upload),
    timeoutMs: UPLOAD_TIMEOUT_MS,
    doing: `upload the worker ${name}`,
    result: z.looseObject({ id: z.string() }),
    write: { action: 'worker.upload', target: name },
  })
}

/** Uploads a version without deploying it. After a lost response the version is found by its tag. */
export async function addWorkerVersion(
  cloud: Cloud,
  name: string,
  upload: WorkerUpload & { annotations: { tag: string } },
): Promise<string> {
  const uploadOnce = () =>
    cloud.call({
      method: 'POST',
      path: `${scriptPath(name)}/versions`,
      query: { bindings_inherit: 'strict' },
      form: () => uploadForm(upload),
      timeoutMs: UPLOAD_TIMEOUT_MS,
      doing: `upload a version of the worker ${name}`,
      result: Version,
      write: { action: 'worker.version', target: name },
    })
  try {
    return (await uploadOnce()).id
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.isClear) throw error
    return (await findWorkerVersion(cloud, name, upload.annotations.tag)) ?? (await uploadOnce()).id
  }
}

/** Returns the id of the deployable version with this tag, or null. */
export async function findWorkerVersion(cloud: Cloud, name: string, tag: string): Promise<string | null> {
  const response = await cloud.call({
    method: 'GET',
    path: `${scriptPath(name)}/versions`,
    query: { deployable: 'true' },
    doing: `list the versions of the worker ${name}`,
    result: z.looseObject({ items: z.array(Version) }),
    missing: 'null',
  })
  return response?.items.find((version) => version.annotations?.['workers/tag'] === tag)?.id ?? null
}

/** Deploys a version. The version receives all requests once this function has returned. */
export async function serveVersion(
  cloud: Cloud,
  name: string,
  versionId: string,
  message: string,
): Promise<void> {
  await cloud.call({
    method: 'POST',
    path: `${scriptPath(name)}/deployments`,
    json: {
      strategy: 'percentage',
      versions: [{ version_id: versionId, percentage: 100 }],
      annotations: { 'workers/message': message },
    },
    doing: `deploy the new version of the worker ${name}`,
    result: z.looseObject({ id: z.string() }),
    write: { action: 'worker.deploy', target: name },
    // Deploying the version that is already deployed changes nothing.
    repeatable: true,
  })
}

/** Returns whether the worker has an address on the account's subdomain; null when there is no such worker. */
export async function hasAddress(cloud: Cloud, name: string): Promise<boolean | null> {
  const found = await cloud.call({
    method: 'GET',
    path: `${scriptPath(name)}/subdomain`,
    doing: `read the address of the worker ${name}`,
    result: z.looseObject({ enabled: z.boolean() }),
    missing: 'null',
  })
  return found?.enabled ?? null
}

/** Gives the worker its address on the account's subdomain. Addresses of single versions stay disabled. */
export async function enableAddress(cloud: Cloud, name: string): Promise<void> {
  await cloud.call({
    method: 'POST',
    path: `${scriptPath(name)}/subdomain`,
    json: { enabled: true, previews_enabled: false },
    doing: `enable the address of the worker ${name}`,
    result: z.looseObject({ enabled: z.boolean() }),
    write: { action: 'worker.address', target: name },
    repeatable: true,
  })
}

/** Removes the worker's address from the account's subdomain and keeps its versions. Succeeds when there is no such worker. */
export async function disableAddress(cloud: Cloud, name: string): Promise<void> {
  await cloud.call({
    method: 'POST',
    path: `${scriptPath(name)}/subdomain`,
    json: { enabled: false, previews_enabled: false },
    doing: `disable the address of the worker ${name}`,
    result: z.looseObject({ enabled: z.boolean() }),
    missing: 'null',
    write: { action: 'worker.offline', target: name },
    repeatable: true,
  })
}

const DeployedBinding = z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })
export type DeployedBinding = z.output<typeof DeployedBinding>

/** Returns the bindings of the deployed version, secrets without their values; null when there is no such worker. */
export async function readBindings(cloud: Cloud, name: string): Promise<DeployedBinding[] | null> {
  const found = await cloud.call({
    method: 'GET',
    path: `${scriptPath(name)}/settings`,
    doing: `read the bindings of the worker ${name}`,
    result: z.looseObject({ bindings: z.array(DeployedBinding) }),
    missing: 'null',
  })
  return found?.bindings ?? null
}

/** Replaces the bindings of the deployed version at once. Code and static files are kept. */
export async function rebind(cloud: Cloud, name: string, bindings: Binding[]): Promise<void> {
  await cloud.call({
    method: 'PATCH',
    path: `${scriptPath(name)}/settings`,
    form: () => settingsForm(bindings),
    doing: `change the bindings of the worker ${name}`,
    result: z.looseObject({}),
    write: { action: 'worker.rebind', target: name },
    repeatable: true,
  })
}

/** Gives a worker exactly these secrets and removes its other secrets. Code and other bindings are kept. */
export async function setSecrets(
  cloud: Cloud,
  name: string,
  secrets: Readonly<Record<string, string>>,
): Promise<void> {
  const bound = await cloud.call({
    method: 'GET',
    path: `${scriptPath(name)}/secrets`,
    doing: `list the secrets of the worker ${name}`,
    result: z.array(z.looseObject({ name: z.string() })),
  })
  const stale = bound.filter((one) => !Object.hasOwn(secrets, one.name)).map((one) => [one.name, null])
  const wanted = Object.entries(secrets).map(([key, text]) => [key, { type: 'secret_text', name: key, text }])
  if (stale.length + wanted.length === 0) return
  await cloud.call({
    method: 'PATCH',
    path: `${scriptPath(name)}/secrets-bulk`,
    // A JSON merge patch, in which null removes a secret.
    json: { secrets: Object.fromEntries([...stale, ...wanted]) },
    doing: `change the secrets of the worker ${name}`,
    result: z.unknown(),
    write: { action: 'worker.secrets', target: name },
    repeatable: true,
  })
}

/**
 * Deletes a worker with its versions. Because of `force`, the Durable Objects of its classes are deleted with their
 * data. Succeeds when there is no such worker.
 */
export async function deleteWorker(cloud: Cloud, name: string): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: scriptPath(name),
    query: { force: 'true' },
    doing: `remove the worker ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'worker.delete', target: name },
  })
}

export async function listTagged(cloud: Cloud, tag: string): Promise<string[]> {
  const scripts = await cloud.call({
    method: 'GET',
    path: '/accounts/:account/workers/scripts',
    doing: 'list its workers',
    result: z.array(z.looseObject({ id: z.string(), tags: z.array(z.string()).nullish() })),
  })
  return scripts.filter((script) => script.tags?.includes(tag) === true).map((script) => script.id)
}

const Namespace = z.looseObject({ id: z.string(), class: z.string().nullish(), script: z.string().nullish() })
const OBJECTS_PER_PAGE = 1000

/** Returns the id of the Durable Object namespace for a script's class, or null while there is none. */
export async function findNamespace(cloud: Cloud, script: string, className: string): Promise<string | null> {
  for (let page = 1; ; page++) {
    const namespaces = await cloud.call({
      method: 'GET',
      path: '/accounts/:account/workers/durable_objects/namespaces',
      query: { page: String(page), per_page: String(OBJECTS_PER_PAGE) },
      doing: 'list its Durable Object namespaces',
      result: z.array(Namespace),
    })
    const found = namespaces.find((one) => one.script === script && one.class === className)
    if (found !== undefined) return found.id
    if (namespaces.length < OBJECTS_PER_PAGE) return null
  }
}

/** Returns the number of objects with stored data, at most a thousand, because it reads only one page. */
export async function countObjects(cloud: Cloud, namespaceId: string): Promise<number> {
  const objects = await cloud.call({
    method: 'GET',
    path: `/accounts/:account/workers/durable_objects/namespaces/${encodeURIComponent(namespaceId)}/objects`,
    query: { limit: String(OBJECTS_PER_PAGE) },
    doing: 'count its Durable Objects',
    result: z.array(z.looseObject({ hasStoredData: z.boolean().nullish() })),
  })
  return objects.filter((one) => one.hasStoredData !== false).length
}
