import { capabilitiesOf, capabilityBindings } from '../../../capability-catalog/catalog.ts'
import { type AppBundle, bundleLive } from '../../bundle/bundle.ts'
import { ASSETS_CONFIG, WORKER_COMPATIBILITY } from '../../source/locked-config.ts'
import type { Manifest } from '../../source/manifest.ts'
import type { AppTree } from '../../source/tree.ts'
import { clockBindings, withClock } from './clock.ts'
import { JOBS_SOURCE, TEST_FLAGS, testBindings } from './jobs.ts'
import type { SandboxWorker } from './options.ts'
import { placeholderSecrets, sandboxBindings, standInsFor } from './stand-ins.ts'

// The same settings as in production, so that a check fails where a deployment would.
const RUNTIME_OPTIONS = {
  compatibilityDate: WORKER_COMPATIBILITY.date,
  compatibilityFlags: [...WORKER_COMPATIBILITY.flags],
}
const ASSET_ROUTING = {
  notFound: ASSETS_CONFIG.not_found_handling,
  htmlHandling: ASSETS_CONFIG.html_handling,
  workerFirst: [...ASSETS_CONFIG.run_worker_first],
}

/**
 * Returns the workers of a check: the app and its Durable Objects as they are deployed, and the workers that render and test the app.
 * Each worker takes time to start, so an app without capabilities gets no Durable Objects, as in production. `providers` are the services
 * to which the app connects.
 */
export async function workersOf(
  bundle: AppBundle,
  enabled: readonly string[],
  providers: readonly string[] = [],
): Promise<SandboxWorker[]> {
  const hasObjects = enabled.length > 0
  const worker = { ...RUNTIME_OPTIONS, main: 'main.js' }
  const app: SandboxWorker = {
    ...worker,
    name: 'app',
    main: bundle.server.main,
    modules: bundle.server.modules,
    env: {
      ASSETS: { type: 'assets' },
      ...(hasObjects && { LIVE: { type: 'worker', worker: 'live', exportName: 'Production' } }),
      JOBS: { type: 'worker', worker: 'jobs', exportName: 'Jobs' },
      DEAD_JOBS: { type: 'worker', worker: 'jobs', exportName: 'DeadJobs' },
      ...sandboxBindings(capabilityBindings(new Set(enabled), { slug: '' }, 'production')),
      APP_CAPABILITIES: { type: 'text', value: JSON.stringify(enabled) },
      APP_TIER: { type: 'text', value: 'production' },
      RELEASE: { type: 'text', value: 'check' },
    },
    assets: { ...ASSET_ROUTING, files: bytesOf(bundle) },
  }
  const workers = [withClock(app), { ...worker, name: 'jobs', modules: { 'main.js': JOBS_SOURCE } }]
  const bound = standInsFor(enabled).filter(({ isOutbound }) => isOutbound !== true)
  workers.push(...bound.map((one) => one.worker(RUNTIME_OPTIONS)))
  const outbound = outboundOf(enabled)
  if (hasObjects)
    workers.push(
      withClock({ ...(await objectsWorker(enabled, providers)), ...outboundTo(outbound, 0) }, 'live'),
    )
  workers.push(...outbound.map((one, i) => ({ ...one, ...outboundTo(outbound, i + 1) })))
  if (bundle.smoke !== undefined)
    workers.push({ ...worker, name: 'smoke', modules: { 'main.js': bundle.smoke } })
  if (bundle.tests !== undefined) {
    const tests: SandboxWorker = {
      ...worker,
      name: 'tests',
      modules: { 'main.js': bundle.tests },
      env: { ...testBindings(enabled), ...clockBindings(enabled) },
      compatibilityFlags: [...WORKER_COMPATIBILITY.flags, ...TEST_FLAGS],
    }
    workers.push(withClock(tests))
  }
  return workers
}

/** Returns, in order, the workers that receive an outgoing request. Two capabilities may share a worker. */
function outboundOf(enabled: readonly string[]): SandboxWorker[] {
  const workers = standInsFor(enabled)
    .filter(({ isOutbound }) => isOutbound === true)
    .map((one) => one.worker(RUNTIME_OPTIONS))
  return [...new Map(workers.map((one) => [one.name, one])).values()]
}

/** Routes the outgoing requests of a worker to the stand-in at index `place`. After the last stand-in the requests fail. */
function outboundTo(standIns: readonly SandboxWorker[], place: number): Pick<SandboxWorker, 'outbound'> {
  const next = standIns[place]
  return next === undefined ? {} : { outbound: next.name }
}

async function objectsWorker(
  enabled: readonly string[],
  providers: readonly string[],
): Promise<SandboxWorker> {
  const { main, modules } = await bundleLive()
  return {
    ...RUNTIME_OPTIONS,
    name: 'live',
    main,
    modules,
    objects: ['AppObject'],
    env: {
      OBJECTS: { type: 'durable-object', worker: 'live', exportName: 'AppObject' },
      APP: { type: 'worker', worker: 'app', exportName: 'Handlers' },
      // Without accounts every caller is a visitor.
      ...(!enabled.includes('auth') && { LIVE_ALLOW_ANONYMOUS: { type: 'text', value: 'on' } }),
      ...sandboxBindings(capabilitiesOf(new Set(enabled)).flatMap(({ liveBindings }) => liveBindings)),
      ...placeholderSecrets(enabled),
      ...Object.assign({}, ...standInsFor(enabled).map(({ live }) => live?.(providers))),
    },
  }
}

/** Returns every path of the app that must not fail: `/`, each page without parameters and each declared route. */
export function pathsToRequest(tree: AppTree, manifest: Manifest): { path: string; file: string }[] {
  const asked = new Map([['/', 'web/index.html']])
  for (const page of manifest.pages)
    if (!page.path.includes(':')) asked.set(page.path, `web/pages/${page.file}`)
  const routes = tree.get('server/routes.ts') ?? ''
  for (const [, , path = ''] of routes.matchAll(/\broutes\s*\.\s*(?:get|all)\s*\(\s*(['"`])([^'"`$]*)\1/g)) {
    // A parameter gets a value that no record has. A 404 is no fault, a 5xx is.
    asked.set(`/api${path.replace(/:\w+\??(\{[^}]*\})?/g, '0').replaceAll('*', '0')}`, 'server/routes.ts')
  }
  return [...asked].map(([path, file]) => ({ path, file }))
}

function bytesOf(bundle: AppBundle): Record<string, Uint8Array> {
  return Object.fromEntries(Object.entries(bundle.web).map(([path, { bytes }]) => [path, bytes]))
}
