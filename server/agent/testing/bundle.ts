import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import {
  Log,
  LogLevel,
  Miniflare,
  type Request as RuntimeRequest,
  Response as RuntimeResponse,
  type WorkerOptions,
} from 'miniflare'
import { type AppBundle, bundleApp, bundleLive, type BundlePart } from '../bundle/bundle.ts'
import { FLOW_BINDING, flowsWorker } from '../check/sandbox/flows.ts'
import { JOBS_SOURCE, TEST_FLAGS, testBindings } from '../check/sandbox/jobs.ts'
import { servicesWorker } from '../check/sandbox/services.ts'
import { MODELS_SOURCE } from '../check/sandbox/models.ts'
import { PROVIDERS_SOURCE } from '../check/sandbox/providers.ts'
import { SHOP_WORKER, SHOP_SOURCE } from '../check/sandbox/shop.ts'
import { ASSETS_CONFIG, WORKER_COMPATIBILITY } from '../source/locked-config.ts'
import { type AppTree, completeTree } from '../source/tree.ts'

interface QueueMessage {
  id: string
  timestamp: Date
  attempts: number
  body: unknown
}
interface DataPoint {
  indexes: string[]
  blobs: string[]
  doubles: number[]
}
interface QueueConsumer {
  queue(name: string, messages: QueueMessage[]): Promise<unknown>
}

/** An app in workerd with its Durable Objects and bindings, as it runs in the cloud. */
export interface RunningApp {
  url: URL
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Calls one of the helper workers: `smoke` renders the pages, `tests` runs the app's own tests. */
  ask(worker: string, path: string): Promise<Response>
  /** Delivers messages of a queue to the app. Returns which the app acknowledged and which it retries. */
  deliver(messages: QueueMessage[]): Promise<unknown>
  /** Returns the messages, as text, that the app has sent to a queue, and empties the queue. */
  taken(box: 'jobs' | 'dead'): Promise<string[]>
  /** Returns the data points that the app has written, and empties the list. */
  counted(): Promise<DataPoint[]>
  /** Sets the next responses of the models. Drops earlier responses that were not used. */
  script(answers: object[]): Promise<void>
  /** Returns the mails that the provider accepted, and empties the list. With `fails`, the provider refuses the next `fails` mails. */
  sentMail(fails?: number): Promise<Record<string, unknown>[]>
  /** Delivers a mail to the live worker. Returns the reason of the refusal; null when the worker accepted it. */
  postMail(from: string, to: string, raw: string | Uint8Array<ArrayBuffer>): Promise<string | null>
  /** Calls a method of the operator's entrypoint, as the admin worker does. Rejects when the method throws. */
  operate<T>(method: string, ...args: unknown[]): Promise<T>
  /** Replaces the running release with another release with the same stored data; `worker` as in `AppOptions`. */
  ship(tree: AppTree, worker?: string): Promise<void>
  stop(): Promise<void>
}

export interface AppOptions {
  tier?: 'production' | 'preview'
  enabled?: string[]
  consoleOrigin?: string
  /** A fixed port, for a browser that must find the app again after a restart. */
  port?: number
  stateFolder?: string
  /** The code of the app's worker as an earlier version of Slipway bundled it. Replaces the code built from the tree. */
  worker?: string | undefined
  /** Starts the app with the variables that it has when its repository is deployed by hand. */
  isStandalone?: boolean
  /** The access code as the service binds it. */
  gate?: string
  /** The public key that verifies the links by which organization members open the app from the console. */
  operatorKey?: string
  variables?: Record<string, string>
  /** Rate limits of the live worker, by the name of their binding. */
  limits?: Record<string, { limit: number; period: 10 | 60 }>
  /** Binds the live worker to a stand-in for the mail provider, which stores the mails and sends none. */
  mail?: boolean
  onLog?: (line: string) => void
  /** Responds to the outgoing requests of the live worker; without it, every outgoing request fails. */
  outbound?: (request: {
    url: string
    method: string
    headers: Headers
    body: string
    bytes: Uint8Array
  }) => Promise<Response>
}

/** Capabilities whose Durable Objects call handlers of the app, so that the live worker must be bound to the app. */
const CALLERS = ['schedule', 'hook', 'email', 'pay']

/** A worker bound to the operator's entrypoint, as only the admin worker is in the cloud. */
const OPERATOR_SOURCE = `export default {
  async fetch(request, env) {
    const [method, ...args] = await request.json()
    return Response.json(await env.LIVE[method](...args))
  },
}`

/** A stand-in for the mail provider that stores the mails. Like the real provider, it accepts only a fixed sender. */
const POST_SOURCE = `import { WorkerEntrypoint } from 'cloudflare:workers'
const sent = []
let fails = 0
export class Mail extends WorkerEntrypoint {
  send(mail) {
    if (fails > 0) { fails--; throw new Error('E_INTERNAL_SERVER_ERROR') }
    if (mail.from.email !== 'shop@mail.test') throw new Error('email from ' + mail.from.email + ' not allowed')
    sent.push({ ...mail, attachments: mail.attachments?.map(({ content, ...file }) => ({ ...file, size: content.byteLength })) })
    return { messageId: String(sent.length) }
  }
}
export default {
  fetch(request) {
    fails = Number(new URL(request.url).searchParams.get('fails'))
    return Response.json(sent.splice(0))
  },
}`

const ROUTER_SOURCE = `export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    const [from, to] = [searchParams.get('from'), searchParams.get('to')]
    const bytes = await request.arrayBuffer()
    let rejected = null
    const setReject = (reason) => { rejected = reason }
    await env.LIVE.email({ from, to, raw: new Response(bytes).body, rawSize: bytes.byteLength, setReject })
    return Response.json(rejected)
  },
}`

/** Bundles and starts an app for a test; `stop` deletes everything it wrote. */
export async function startApp(tree: AppTree, options: AppOptions = {}): Promise<RunningApp> {
  const enabled = new Set(options.enabled ?? ['data'])
  const folder = mkdtempSync(join(tmpdir(), 'slipway-app-'))
  const state = options.stateFolder ?? join(folder, 'state')
  let release = 0
  const configure = async (agentFiles: AppTree, worker: string | undefined) => ({
    host: '127.0.0.1',
    port: options.port ?? 0,
    cf: false as const,
    enableDevRegistry: false,
    logRequests: false,
    telemetry: { enabled: false },
    log: new Log(LogLevel.NONE),
    handleStructuredLogs: ({ message }: { message: string }) => options.onLog?.(message),
    handleUncaughtError: () => {},
    resourcePersistencePath: state,
    workers: await workersOf(agentFiles, enabled, { ...options, worker }, join(folder, String(release++))),
  })
  const miniflare = new Miniflare(await configure(tree, options.worker))
  const app: RunningApp = {
    url: await miniflare.ready,
    fetch: (path, init) => fetch(new URL(path, app.url), { redirect: 'manual', ...init }),
    ask: async (worker, path) => fetch(new URL(path, await miniflare.unsafeGetDirectURL(worker))),
    async deliver(messages) {
      // Cast, because the method's own type is from the declarations of the Workers runtime, which this project does not load.
      const worker = (await miniflare.getWorker('app')) as unknown as QueueConsumer
      return worker.queue('jobs', messages)
    },
    async script(answers) {
      const url = await miniflare.unsafeGetDirectURL('models')
      await fetch(url, { method: 'POST', body: JSON.stringify(answers) })
    },
    sentMail: async (fails = 0) =>
      (await (await app.ask('post', `/?fails=${fails}`)).json()) as Record<string, unknown>[],
    async postMail(from, to, raw) {
      const url = new URL(await miniflare.unsafeGetDirectURL('router'))
      url.search = new URLSearchParams({ from, to }).toString()
      const answer = await fetch(url, { method: 'POST', body: raw })
      if (!answer.ok) throw new Error(await answer.text())
      return (await answer.json()) as string | null
    },
    taken: async (box) => (await (await app.ask('jobs', `/${box}`)).json()) as string[],
    counted: async () => (await (await app.ask('jobs', '/events')).json()) as DataPoint[],
    async operate<T>(method: string, ...args: unknown[]) {
      const url = await miniflare.unsafeGetDirectURL('operator')
      const answer = await fetch(url, { method: 'POST', body: JSON.stringify([method, ...args]) })
      const { ok, value, error } = (await answer.json()) as { ok: boolean; value: T; error?: unknown }
      if (!ok) throw new Error(JSON.stringify(error))
      return value
    },
    async ship(next, worker) {
      await miniflare.setOptions(await configure(next, worker))
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
    // Minified, exactly like a deployed app.
    ...(await bundleOrThrow(tree, ['server', 'web'], true)),
  }
  const live = await bundleLive()
  const runtime = { compatibilityDate: WORKER_COMPATIBILITY.date, compatibilityFlags: [] }
  const services = servicesWorker(runtime)
  const flows = flowsWorker(runtime)
  const tier = options.tier ?? 'production'
  const server =
    options.worker === undefined
      ? bundle.server
      : { main: 'worker.js', modules: { 'worker.js': options.worker } }
  // Workers of early versions have no entrypoint that the live worker could call.
  const hasHandlers = options.worker === undefined || /\bas Handlers\b/.test(options.worker)
  return [
    worker('app', server.main, server.modules, {
      env: {
        ASSETS: { type: 'assets' },
        APP_TIER: { type: 'text', value: tier },
        APP_CAPABILITIES: { type: 'text', value: JSON.stringify([...enabled]) },
        APP_CONSOLE_ORIGIN: { type: 'text', value: options.consoleOrigin ?? 'http://console.test' },
        RELEASE: { type: 'text', value: 'r1' },
        APP_GATE: { type: 'text', value: options.gate ?? 'off' },
        ...(options.isStandalone === true && { APP_STANDALONE: { type: 'text', value: 'on' } }),
        JOBS: { type: 'worker', worker: 'jobs', exportName: 'Jobs' },
        DEAD_JOBS: { type: 'worker', worker: 'jobs', exportName: 'DeadJobs' },
        EVENTS: { type: 'worker', worker: 'jobs', exportName: 'Events' },
        BROWSER: { type: 'worker', worker: 'jobs', exportName: 'Browser' },
        LIVE: { type: 'worker', worker: 'live', exportName: tier === 'preview' ? 'Preview' : 'Production' },
        FILES: { type: 'r2', name: 'files' },
        ...(enabled.has('flow') && { FLOW: FLOW_BINDING }),
      },
      assets: {
        directory: writeWeb(bundle, folder),
        hasUserWorker: true,
        notFoundHandling: ASSETS_CONFIG.not_found_handling,
        runWorkerFirst: [...ASSETS_CONFIG.run_worker_first],
      },
    }),
    worker(
      'live',
      live.main,
      live.modules,
      {
        env: {
          OBJECTS: { type: 'durable-object', worker: 'live', exportName: 'AppObject' },
          ...(options.isStandalone === true && { APP_STANDALONE: { type: 'text', value: 'on' } }),
          ...(options.operatorKey !== undefined && {
            OPERATOR_KEY: { type: 'text', value: options.operatorKey },
            APP_NAME: { type: 'text', value: 'app' },
          }),
          ...Object.fromEntries(
            Object.entries(options.limits ?? {}).map(([name, simple]) => [
              name,
              { type: 'rate-limit', namespace: name, simple },
            ]),
          ),
          ...(enabled.has('ai') && { AI: { type: 'worker', worker: 'models', exportName: 'Models' } }),
          ...(options.mail === true && { MAIL: { type: 'worker', worker: 'post', exportName: 'Mail' } }),
          ...(CALLERS.some((key) => enabled.has(key)) &&
            hasHandlers && {
              [tier === 'preview' ? 'APP_PREVIEW' : 'APP']: {
                type: 'worker',
                worker: 'app',
                exportName: 'Handlers',
              },
            }),
          ...Object.fromEntries(
            Object.entries(options.variables ?? {}).map(([name, value]) => [name, { type: 'text', value }]),
          ),
        },
        exports: { AppObject: { type: 'durable-object', storage: 'sqlite' } },
      },
      options.outbound,
    ),
    worker('jobs', 'main.js', { 'main.js': JOBS_SOURCE }, {}),
    ...(enabled.has('flow')
      ? [worker(flows.name, flows.main, { ...flows.modules }, { env: flows.env })]
      : []),
    worker('services', services.main, { ...services.modules }, {}),
    worker(SHOP_WORKER, 'main.js', { 'main.js': SHOP_SOURCE }, {}),
    worker('models', 'main.js', { 'main.js': MODELS_SOURCE }, {}),
    worker('providers', 'main.js', { 'main.js': PROVIDERS_SOURCE }, {}),
    worker(
      'router',
      'main.js',
      { 'main.js': ROUTER_SOURCE },
      { env: { LIVE: { type: 'worker', worker: 'live' } } },
    ),
    worker('post', 'main.js', { 'main.js': POST_SOURCE }, {}),
    worker(
      'operator',
      'operator.js',
      { 'operator.js': OPERATOR_SOURCE },
      { env: { LIVE: { type: 'worker', worker: 'live', exportName: 'Operator' } } },
    ),
    worker('smoke', 'smoke.js', { 'smoke.js': bundle.smoke ?? '' }, {}),
    worker(
      'tests',
      'tests.js',
      { 'tests.js': bundle.tests ?? '' },
      {
        // Workers of earlier versions may lack the entrypoints of the test bindings, and a binding to a missing entrypoint fails.
        env:
          options.worker === undefined
            ? testBindings([...enabled])
            : { APP: { type: 'worker', worker: 'app' } },
        compatibilityFlags: [...WORKER_COMPATIBILITY.flags, ...TEST_FLAGS],
      },
    ),
  ]
}

async function bundleOrThrow(tree: AppTree, parts: BundlePart[], minify: boolean): Promise<AppBundle> {
  const result = await bundleApp(tree, { parts, minify })
  if (result.ok) return result.bundle
  throw new Error(result.errors.map((error) => `${error.file}:${error.line} ${error.message}`).join('\n'))
}

function worker(
  name: string,
  main: string,
  modules: Record<string, string>,
  config: object,
  outbound?: AppOptions['outbound'],
): WorkerOptions {
  const entries = Object.entries(modules).map(([path, contents]) => [path, { type: 'esm', contents }])
  return {
    config: {
      name,
      compatibilityDate: WORKER_COMPATIBILITY.date,
      compatibilityFlags: [...WORKER_COMPATIBILITY.flags],
      manifest: { mainModule: main, modulesRoot: '/', modules: Object.fromEntries(entries) },
      ...config,
    },
    dev: {
      unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
      ...(outbound !== undefined && {
        outboundService: {
          type: 'fetcher' as const,
          handler: async (request: RuntimeRequest) => {
            const { url, method, headers } = request
            const bytes = new Uint8Array(await request.arrayBuffer())
            const body = new TextDecoder().decode(bytes)
            const answer = await outbound({ url, method, headers: new Headers([...headers]), body, bytes })
            return new RuntimeResponse(await answer.text(), {
              status: answer.status,
              headers: [...answer.headers],
            })
          },
        },
      }),
    },
  }
}

function writeWeb(bundle: AppBundle, folder: string): string {
  for (const [path, { bytes }] of Object.entries(bundle.web)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), bytes)
  }
  return folder
}
