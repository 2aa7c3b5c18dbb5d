import type { MiniflareOptions, WorkerOptions } from 'miniflare'
import { Response as RuntimeResponse } from 'miniflare'
import type { Blobs } from './blobs.ts'
import { bucketWorkerSource } from './bucket-worker.ts'
import type { Bucket } from './buckets.ts'
import { boundScripts } from './groups.ts'
import { egressSource, fetchForApp, ownAddresses } from './egress.ts'
import { BUCKET_WORKER, type GroupPlan, internalNames, PING_WORKER, type PlannedWorker } from './plan.ts'
import type { Binding } from './types.ts'

/** The only file that knows Miniflare's option schema, which is in beta. */

const EGRESS_WORKER = '_egress'
const INTERNAL_DATE = '2026-06-01'
/** What the provider assumes for uploads that name no date. */
const OLDEST_DATE = '2021-11-02'

type Env = NonNullable<WorkerOptions['config']['env']>
type Module = NonNullable<WorkerOptions['config']['manifest']>['modules'][string]

export interface InstanceSetup {
  blobs: Blobs
  /** Folder of a script's asset files of one version. */
  assetFolder(worker: PlannedWorker): Promise<string | null>
  appsPort: number
  egressAllow: string[]
  /** Null: nothing is kept, for a validation boot. */
  stateDir: string | null
  runFile: string
  workerd: { path: string; guard: string }
  /** Exchanges the entry of one worker by a module that reports what it exports. */
  inspect?: { script: string; source(mainModule: string): string }
  onLog(message: string): void
  onRestart(): void
}

/** Miniflare's options for one app group. */
export async function buildOptions(plan: GroupPlan, setup: InstanceSetup): Promise<MiniflareOptions> {
  const scriptNames = new Set(plan.workers.map((worker) => worker.script.name))
  const known = { scriptNames, buckets: plan.buckets }
  const workers = await Promise.all(plan.workers.map((worker) => buildWorker(worker, known, setup)))
  const builders = { [PING_WORKER]: buildPing, [BUCKET_WORKER]: () => buildBucketWorker(plan.buckets) }
  const internal = setup.stateDir === null ? [] : internalNames(plan).map((name) => builders[name]())
  return {
    host: '127.0.0.1',
    port: 0,
    // Else it fetches request metadata from the network.
    cf: false,
    enableDevRegistry: false,
    logRequests: false,
    telemetry: { enabled: false },
    // Not set: unsafeTriggerHandlers (mail) and unsafeLocalExplorer (workflows). No binding of this cloud needs them
    // yet, and together they double the time a group takes to start (measured: 120 ms to 280 ms of CPU).
    unsafeRuntimeEnv: {
      SLIPWAY_RUN_FILE: setup.runFile,
      SLIPWAY_WORKERD: setup.workerd.path,
      SLIPWAY_GUARD: setup.workerd.guard,
    },
    unsafeHandleRuntimeRestart: setup.onRestart,
    handleStructuredLogs: (log) => setup.onLog(log.message),
    ...(setup.stateDir === null ? {} : { resourcePersistencePath: setup.stateDir }),
    // Egress also in a validation boot: the report of an entry is made by code the app may have bent.
    workers: [...workers, ...internal, buildEgress(setup)],
  }
}

/** What the workers of a group can be bound to. */
interface Targets {
  scriptNames: ReadonlySet<string>
  buckets: Bucket[]
}

async function buildWorker(
  worker: PlannedWorker,
  targets: Targets,
  setup: InstanceSetup,
): Promise<WorkerOptions> {
  const { script, content } = worker
  const assetFolder = await setup.assetFolder(worker)
  const config: WorkerOptions['config'] = {
    name: script.name,
    compatibilityDate: content.compatibilityDate === '' ? OLDEST_DATE : content.compatibilityDate,
    compatibilityFlags: content.compatibilityFlags,
    manifest: await buildManifest(worker, setup),
    env: buildEnv(worker, targets),
    exports: Object.fromEntries(
      worker.namespaces.map((namespace) => [
        namespace.className,
        // Named by id: a namespace made again under an old name must not find the old data.
        { type: 'durable-object' as const, storage: namespace.storage, unsafeUniqueKey: namespace.id },
      ]),
    ),
  }
  if (assetFolder !== null) config.assets = buildAssets(worker, assetFolder)
  // The report of an inspected entry must not be answered by an asset.
  if (config.assets !== undefined && setup.inspect?.script === script.name)
    config.assets.runWorkerFirst = true
  return {
    config,
    dev: {
      outboundService: { type: 'worker', worker: EGRESS_WORKER },
      // The router sets it from the real peer.
      stripCfConnectingIp: false,
      // Each direct socket passes through the worker's own asset router, the shared entry socket does not.
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      ...(setup.stateDir === null ? { unsafeEphemeralDurableObjects: true, cacheAPI: false } : {}),
    },
  }
}

function buildAssets(
  worker: PlannedWorker,
  directory: string,
): NonNullable<WorkerOptions['config']['assets']> {
  const assets = worker.content.assets?.config ?? {}
  return {
    directory,
    hasUserWorker: worker.content.mainModule !== null,
    ...(assets.html_handling === undefined ? {} : { htmlHandling: assets.html_handling }),
    ...(assets.not_found_handling === undefined ? {} : { notFoundHandling: assets.not_found_handling }),
    ...(assets.run_worker_first === undefined ? {} : { runWorkerFirst: assets.run_worker_first }),
  }
}

async function buildManifest(worker: PlannedWorker, setup: InstanceSetup) {
  const { content, script } = worker
  // A worker of assets only still needs an entry; the asset router never calls it.
  if (content.mainModule === null)
    return { mainModule: 'empty.js', modules: { 'empty.js': esm('export default {}') } }
  const modules: Record<string, Module> = {}
  for (const module of content.modules) {
    const bytes = await setup.blobs.read(script.accountId, module.digest)
    const isText = module.type !== 'wasm' && module.type !== 'data'
    modules[module.name] = { type: module.type, contents: isText ? new TextDecoder().decode(bytes) : bytes }
  }
  // Else error messages would name the working directory of this process.
  const modulesRoot = '/'
  if (setup.inspect?.script !== script.name) return { mainModule: content.mainModule, modulesRoot, modules }
  const entry = 'slipway-inspect.mjs'
  return {
    mainModule: entry,
    modulesRoot,
    modules: { ...modules, [entry]: esm(setup.inspect.source(content.mainModule)) },
  }
}

function esm(contents: string): Module {
  return { type: 'esm', contents }
}

function buildEnv(worker: PlannedWorker, { scriptNames, buckets }: Targets): Env {
  const env: Env = {}
  for (const binding of worker.content.bindings) {
    // A target deleted by force: as in the cloud, the worker runs and the call on the binding fails.
    if (binding.type === 'r2_bucket') {
      const bucket = buckets.find(({ name }) => name === binding['bucket_name'])
      if (bucket !== undefined) env[binding.name] = { type: 'r2', name: bucket.id }
      continue
    }
    const [target] = boundScripts(worker.script.name, [binding])
    if (target === undefined || scriptNames.has(target)) env[binding.name] = buildBinding(worker, binding)
  }
  return env
}

/** Types the upload let through (`bindings.ts`); anything else is a mistake in this program. */
function buildBinding(worker: PlannedWorker, binding: Binding): Env[string] {
  switch (binding.type) {
    case 'plain_text':
    case 'secret_text':
      // Miniflare's own type `secret` declares a secret and carries no value.
      return { type: 'text', value: String(binding['text'] ?? '') }
    case 'json':
      return { type: 'json', value: binding['json'] as never }
    case 'assets':
      return { type: 'assets' }
    case 'durable_object_namespace':
      return {
        type: 'durable-object',
        worker: String(binding['script_name'] ?? worker.script.name),
        exportName: String(binding['class_name']),
      }
    case 'service':
      return {
        type: 'worker',
        worker: String(binding['service']),
        ...(typeof binding['entrypoint'] === 'string' ? { exportName: binding['entrypoint'] } : {}),
        ...(isRecord(binding['props']) ? { props: binding['props'] } : {}),
      }
    case 'version_metadata':
      return { type: 'json', value: versionMetadata(worker) }
    default:
      throw new Error(`unexpected binding type ${binding.type}`)
  }
}

/** Miniflare's own type answers a random id; apps compare this one with the API's. */
function versionMetadata(worker: PlannedWorker) {
  return {
    id: worker.version?.id ?? '',
    tag: worker.content.annotations['workers/tag'] ?? '',
    timestamp: new Date(worker.version?.createdAt ?? 0).toISOString(),
  }
}

function buildBucketWorker(buckets: Bucket[]): WorkerOptions {
  return {
    config: {
      name: BUCKET_WORKER,
      compatibilityDate: INTERNAL_DATE,
      manifest: { mainModule: 'buckets.js', modules: { 'buckets.js': esm(bucketWorkerSource) } },
      env: Object.fromEntries(buckets.map(({ id }) => [id, { type: 'r2' as const, name: id }])),
    },
    dev: { cacheAPI: false, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
  }
}

function buildPing(): WorkerOptions {
  return {
    config: {
      name: PING_WORKER,
      compatibilityDate: INTERNAL_DATE,
      manifest: {
        mainModule: 'ping.js',
        modules: { 'ping.js': esm(`export default { fetch: () => new Response('ok') }`) },
      },
    },
    dev: { cacheAPI: false, unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
  }
}

function buildEgress(setup: InstanceSetup): WorkerOptions {
  return {
    config: {
      name: EGRESS_WORKER,
      compatibilityDate: INTERNAL_DATE,
      manifest: { mainModule: 'egress.js', modules: { 'egress.js': esm(egressSource) } },
      env: {
        PUBLIC: { type: 'network', allow: ['public'], deny: ownAddresses() },
        ALLOWED: { type: 'json', value: setup.egressAllow },
        APPS_PORT: { type: 'text', value: String(setup.appsPort) },
        WORLD: {
          type: 'fetcher',
          handler: async (request) => {
            const answer = await fetchForApp(request)
            return new RuntimeResponse(answer.body, { status: answer.status, headers: answer.headers })
          },
        },
      },
    },
    dev: { cacheAPI: false },
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
