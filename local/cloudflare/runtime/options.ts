import type { MiniflareOptions, WorkerOptions } from 'miniflare'
import { directSocket, socketOf } from '../workerd/worker-socket.ts'
import { bindingKind } from '../products/index.ts'
import { egressSource, fetchForApp } from './egress.ts'
import { internalWorker } from './internal-worker.ts'
import { internalWorkers } from './internal-workers.ts'
import { hasOwnEntry, OWN_ENTRY, ownEntrySource, workerFirstPaths } from './own-entry.ts'
import { Response as RuntimeResponse } from './miniflare.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import { ownAddresses, unreachableCause } from '../../world/public-addresses.ts'
import type { InstanceSetup } from './setup.ts'
import { LineMarks } from '../observability/tail/lines.ts'
import { LINES_MODULE, watchSource } from '../observability/tail/lines-module.ts'
import { tailConsumerOf } from './tail-worker.ts'

/** Only this file and the bindings in `products/` know Miniflare's option schema, which is in beta. */

const EGRESS_WORKER = '_egress'
/** The compatibility date of uploads without one, as at the provider. */
const OLDEST_DATE = '2021-11-02'

type WorkerEnv = NonNullable<WorkerOptions['config']['env']>
type WorkerModule = NonNullable<WorkerOptions['config']['manifest']>['modules'][string]

/** Returns the options for Miniflare. Async, because it builds the asset folders. */
export async function buildOptions(plan: GroupPlan, setup: InstanceSetup): Promise<MiniflareOptions> {
  const marks = new LineMarks()
  const workers = await Promise.all(plan.workers.map((worker) => buildWorker(worker, plan, setup, marks)))
  const internal = internalWorkers(plan, setup.stateDir === null).map(({ build, hasSocket }) => {
    const options = build(plan, setup)
    if (!hasSocket) return options
    const unsafeDirectSockets = [directSocket(socketOf(setup.socketDir, options.config.name))]
    return { ...options, dev: { ...options.dev, unsafeDirectSockets } }
  })
  return {
    host: '127.0.0.1',
    port: 0,
    // Unless `cf` is false, Miniflare downloads sample values of `request.cf`.
    cf: false,
    enableDevRegistry: false,
    logRequests: false,
    telemetry: { enabled: false },
    // Do not set unsafeTriggerHandlers (mail) and unsafeLocalExplorer (workflows have an internal worker instead):
    // together they double the start time of a group (measured: 120 ms to 280 ms of CPU).
    unsafeRuntimeEnv: {
      SLIPWAY_RUN_FILE: setup.runFile,
      SLIPWAY_WORKERD: setup.workerd.path,
      SLIPWAY_GUARD: setup.workerd.guard,
      SLIPWAY_SOCKETS: setup.socketDir,
      ...(setup.workerd.account === null ? {} : { SLIPWAY_ACCOUNT: JSON.stringify(setup.workerd.account) }),
    },
    unsafeHandleRuntimeRestart: setup.onRestart,
    handleStructuredLogs: (log) => {
      const written = marks.read(log)
      if (written === null) setup.onLog(log.message)
      else setup.onWritten(written)
    },
    ...(setup.stateDir === null ? {} : { resourcePersistencePath: setup.stateDir }),
    // The temporary process that validates an upload needs the egress worker too, because that process runs the app's code.
    workers: [...workers, ...internal, buildEgress(setup)],
  }
}

async function buildWorker(
  worker: PlannedWorker,
  plan: GroupPlan,
  setup: InstanceSetup,
  marks: LineMarks,
): Promise<WorkerOptions> {
  const { script, content } = worker
  const lines = setup.stateDir === null ? null : marks.moduleFor(worker, plan.listening)
  const assetFolder = await setup.assetFolder(worker)
  const config: WorkerOptions['config'] = {
    name: script.name,
    compatibilityDate: content.compatibilityDate === '' ? OLDEST_DATE : content.compatibilityDate,
    compatibilityFlags: content.compatibilityFlags,
    manifest: await buildManifest(worker, setup, lines),
    env: buildEnv(worker, plan),
    exports: Object.fromEntries(
      worker.namespaces.map((namespace) => [
        namespace.className,
        // Keyed by id, so that a namespace recreated under an old name does not find the old data.
        { type: 'durable-object' as const, storage: namespace.storage, unsafeUniqueKey: namespace.id },
      ]),
    ),
  }
  if (assetFolder !== null) config.assets = buildAssets(worker, assetFolder)
  const ownSocket = directSocket(socketOf(setup.socketDir, script.name))
  const pastAssets = {
    ...directSocket(socketOf(setup.socketDir, script.name, OWN_ENTRY)),
    entrypoint: OWN_ENTRY,
  }
  const tail = setup.stateDir === null ? null : tailConsumerOf(plan, worker)
  if (tail !== null) config.tailConsumers = [tail]
  // The request that reads the exports of an uploaded worker must reach the worker and not an asset.
  if (config.assets !== undefined && setup.inspect?.script === script.name)
    config.assets.runWorkerFirst = true
  return {
    config,
    dev: {
      outboundService: { type: 'worker', worker: EGRESS_WORKER },
      // Miniflare must keep this header, because the router sets it to the address of the real client.
      stripCfConnectingIp: false,
      // Each worker gets separate sockets, because Miniflare's entry socket for all workers bypasses the asset router. The first socket
      // leads through the asset router, the second directly to the worker.
      unsafeDirectSockets: workerFirstPaths(worker) === null ? [ownSocket] : [ownSocket, pastAssets],
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

async function buildManifest(worker: PlannedWorker, setup: InstanceSetup, lines: string | null) {
  const { content, script } = worker
  // A worker with only assets needs an entry module too. The module is never called, because the asset router responds first.
  if (content.mainModule === null)
    return { mainModule: 'empty.js', modules: { 'empty.js': esmModule('export default {}') } }
  const modules: Record<string, WorkerModule> = {}
  for (const module of content.modules) {
    const bytes = await setup.blobs.read(script.accountId, module.digest)
    const isText = module.type !== 'wasm' && module.type !== 'data'
    modules[module.name] = { type: module.type, contents: isText ? new TextDecoder().decode(bytes) : bytes }
  }
  // Miniflare's default is the working directory, which would then appear in error messages that the app sees.
  const modulesRoot = '/'
  const { mainModule } = content
  const isInspected = setup.inspect?.script === script.name
  const needsEntry = hasOwnEntry(worker)
  if (!isInspected && !needsEntry && lines === null) return { mainModule, modulesRoot, modules }
  const entry = 'slipway-entry.mjs'
  const source = isInspected ? setup.inspect?.source(mainModule) : reexportModule(worker, mainModule)
  // Put this import first, so that it runs before the worker's own top-level code.
  const first = lines === null ? '' : watchSource(mainModule)
  const contents = `${first}${source}${needsEntry ? ownEntrySource(mainModule) : ''}`
  if (lines !== null) modules[LINES_MODULE] = esmModule(lines)
  return { mainModule: entry, modulesRoot, modules: { ...modules, [entry]: esmModule(contents) } }
}

function reexportModule({ content }: PlannedWorker, mainModule: string): string {
  const path = JSON.stringify(`./${mainModule}`)
  const defaults = content.handlers.length === 0 ? '' : `export { default } from ${path}\n`
  return `export * from ${path}\n${defaults}`
}

function esmModule(contents: string): WorkerModule {
  return { type: 'esm', contents }
}

function buildEnv(worker: PlannedWorker, plan: GroupPlan): WorkerEnv {
  const env: WorkerEnv = {}
  for (const binding of worker.content.bindings) {
    const bound = bindingKind(binding.type)?.env(binding, worker, plan) ?? null
    if (bound !== null) env[binding.name] = bound
  }
  return env
}

function buildEgress(setup: InstanceSetup): WorkerOptions {
  return internalWorker(EGRESS_WORKER, egressSource, {
    env: {
      PUBLIC: { type: 'network', allow: ['public'], deny: ownAddresses() },
      STAND_INS: {
        type: 'json',
        value: Object.fromEntries([...setup.standIns].map(([host, { mark }]) => [host, mark])),
      },
      ALLOWED: { type: 'json', value: setup.egressAllow },
      APPS_PORT: { type: 'text', value: String(setup.appsPort) },
      CAUSE: {
        type: 'fetcher',
        handler: async (request) =>
          new RuntimeResponse(await unreachableCause(new URL(request.url).hostname)),
      },
      HOST: {
        type: 'fetcher',
        handler: async (request) => {
          const answer = await fetchForApp(request, setup.standIns)
          return new RuntimeResponse(answer.body, { status: answer.status, headers: answer.headers })
        },
      },
    },
  })
}
