import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Log, LogLevel, Miniflare, type WorkerOptions } from 'miniflare'
import { type AppBundle, bundleApp, bundleLive, type BundlePart } from '../bundle/bundle.ts'
import { ASSETS_CONFIG, COMPATIBILITY } from '../source/locked-config.ts'
import { type AppTree, completeTree } from '../source/tree.ts'

/** An app running in workerd with its object, as it runs in the cloud. */
export interface RunningApp {
  url: URL
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Asks one of the helper workers: `smoke` or `tests`. */
  ask(worker: string, path: string): Promise<Response>
  /** Starts another release over the same stored data. */
  ship(tree: AppTree): Promise<void>
  stop(): Promise<void>
}

export interface AppOptions {
  tier?: 'production' | 'preview'
  enabled?: string[]
  consoleOrigin?: string
  /** A port of its own, for a browser that is to find the app again. */
  port?: number
  stateFolder?: string
}

/** Bundles and starts an app for a test; `stop` removes everything it wrote. */
export async function startApp(tree: AppTree, options: AppOptions = {}): Promise<RunningApp> {
  const enabled = new Set(options.enabled ?? ['data'])
  const folder = mkdtempSync(join(tmpdir(), 'slipway-app-'))
  const state = options.stateFolder ?? join(folder, 'state')
  let release = 0
  const configure = async (agentFiles: AppTree) => ({
    host: '127.0.0.1',
    port: options.port ?? 0,
    cf: false as const,
    enableDevRegistry: false,
    logRequests: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: () => {},
    handleUncaughtError: () => {},
    resourcePersistencePath: state,
    workers: await workersOf(agentFiles, enabled, options, join(folder, String(release++))),
  })
  const miniflare = new Miniflare(await configure(tree))
  const app: RunningApp = {
    url: await miniflare.ready,
    fetch: (path, init) => fetch(new URL(path, app.url), { redirect: 'manual', ...init }),
    ask: async (worker, path) => fetch(new URL(path, await miniflare.unsafeGetDirectURL(worker))),
    async ship(next) {
      await miniflare.setOptions(await configure(next))
      app.url = await miniflare.ready
    },
    async stop() {
      await miniflare.dispose()
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return app
}

async function workersOf(
  agentFiles: AppTree,
  enabled: ReadonlySet<string>,
  options: AppOptions,
  folder: string,
): Promise<WorkerOptions[]> {
  const tree = completeTree(agentFiles, enabled)
  const bundle = {
    ...(await bundleOrThrow(tree, ['smoke', 'tests'], false)),
    // Exactly what is shipped.
    ...(await bundleOrThrow(tree, ['server', 'web'], true)),
  }
  const live = await bundleLive(enabled)
  const tier = options.tier ?? 'production'
  return [
    worker('app', bundle.server.main, bundle.server.modules, {
      env: {
        ASSETS: { type: 'assets' },
        APP_TIER: { type: 'text', value: tier },
        APP_CAPABILITIES: { type: 'text', value: JSON.stringify([...enabled]) },
        APP_CONSOLE_ORIGIN: { type: 'text', value: options.consoleOrigin ?? 'http://console.test' },
        RELEASE: { type: 'text', value: 'r1' },
        LIVE: { type: 'worker', worker: 'live', exportName: tier === 'preview' ? 'Preview' : 'Production' },
      },
      assets: {
        directory: writeWeb(bundle, folder),
        hasUserWorker: true,
        notFoundHandling: ASSETS_CONFIG.not_found_handling,
        runWorkerFirst: [...ASSETS_CONFIG.run_worker_first],
      },
    }),
    worker('live', live.main, live.modules, {
      env: { OBJECTS: { type: 'durable-object', worker: 'live', exportName: 'AppObject' } },
      exports: { AppObject: { type: 'durable-object', storage: 'sqlite' } },
    }),
    worker('smoke', 'smoke.js', { 'smoke.js': bundle.smoke ?? '' }, {}),
    worker(
      'tests',
      'tests.js',
      { 'tests.js': bundle.tests ?? '' },
      { env: { APP: { type: 'worker', worker: 'app' } } },
    ),
  ]
}

async function bundleOrThrow(tree: AppTree, parts: BundlePart[], minify: boolean): Promise<AppBundle> {
  const result = await bundleApp(tree, { parts, minify })
  if (result.ok) return result.bundle
  throw new Error(result.errors.map((error) => `${error.file}:${error.line} ${error.message}`).join('\n'))
}

function worker(name: string, main: string, modules: Record<string, string>, config: object): WorkerOptions {
  const entries = Object.entries(modules).map(([path, contents]) => [path, { type: 'esm', contents }])
  return {
    config: {
      name,
      compatibilityDate: COMPATIBILITY.date,
      compatibilityFlags: [...COMPATIBILITY.flags],
      manifest: { mainModule: main, modulesRoot: '/', modules: Object.fromEntries(entries) },
      ...config,
    },
    dev: { unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }] },
  }
}

function writeWeb(bundle: AppBundle, folder: string): string {
  for (const [path, { bytes }] of Object.entries(bundle.web)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}
