import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Capability } from '../../../capability-declaration/capability.ts'
import { capabilitiesOf } from '../../../capability-catalog/catalog.ts'
import type { Binding } from '../../../cloudflare/products/upload.ts'
import { FLOW_BINDING, FLOW_CLOCK, flowsWorker } from './flows.ts'
import { MODELS_SOURCE } from './models.ts'
import type { SandboxBinding, SandboxWorker } from './options.ts'
import { CHECK_WIDGET, checkVapidKey, PROVIDERS_SOURCE } from './providers.ts'
import { connectSettings, SERVICES_BINDING, servicesWorker } from './services.ts'
import { SHOP_SOURCE, SHOP_VARIABLES, SHOP_WORKER, textBindings } from './shop.ts'

type SandboxBindings = Readonly<Record<string, SandboxBinding>>
type SandboxRuntime = Pick<SandboxWorker, 'compatibilityDate' | 'compatibilityFlags'>

/**
 * Replaces the provider of a capability in a check. Needed when the app's tests set the provider's responses, or when the app calls the
 * provider by HTTP instead of a binding.
 */
interface StandIn {
  worker: (runtime: SandboxRuntime) => SandboxWorker
  /** True when outgoing requests of the live worker are passed to this stand-in. */
  isOutbound?: true
  /** Returns settings and secrets for the live worker. `services` are the ids of the services that the app connects to. */
  live?: (services: readonly string[]) => SandboxBindings
  /** The bindings with which the app's tests set the stand-in's responses and read the requests that it received. */
  tests?: SandboxBindings
}

const exportBinding = (worker: string, exportName: string): SandboxBinding => ({
  type: 'worker',
  worker,
  exportName,
})

const workerWith =
  (name: string, source: string) =>
  (runtime: SandboxRuntime): SandboxWorker => ({
    ...runtime,
    name,
    main: 'main.js',
    modules: { 'main.js': source },
  })

const providersStandIn = { worker: workerWith('providers', PROVIDERS_SOURCE), isOutbound: true } as const

/**
 * The emulated providers, in the order in which they receive an outgoing request of an app. Each forwards a request that is for another
 * provider, and the last one rejects it with an error.
 */
const STAND_INS: Partial<Record<CapabilityKey, StandIn>> = {
  ai: { worker: workerWith('models', MODELS_SOURCE), tests: { MODELS: exportBinding('models', 'Script') } },
  flow: { worker: flowsWorker, tests: { FLOW: FLOW_BINDING, FLOW_CLOCK } },
  connect: {
    worker: servicesWorker,
    isOutbound: true,
    live: connectSettings,
    tests: { SERVICES: SERVICES_BINDING },
  },
  pay: {
    worker: workerWith(SHOP_WORKER, SHOP_SOURCE),
    isOutbound: true,
    live: () => textBindings(SHOP_VARIABLES),
    // The tests sign the events with the same secrets.
    tests: { SHOP: exportBinding(SHOP_WORKER, 'Shop'), ...textBindings(SHOP_VARIABLES) },
  },
  push: {
    ...providersStandIn,
    live: () => textBindings({ VAPID_PRIVATE_KEY: checkVapidKey() }),
    tests: { PUSHES: exportBinding('providers', 'Pushes') },
  },
  guard: { ...providersStandIn, live: () => CHECK_WIDGET },
}

export const standInsFor = (enabled: readonly string[]): StandIn[] =>
  Object.entries(STAND_INS).flatMap(([key, standIn]) => (enabled.includes(key) ? [standIn] : []))

/**
 * Returns a made-up value for each secret that the enabled capabilities need. Leaves out capabilities whose stand-in
 * sets the secrets.
 */
export const placeholderSecrets = (enabled: readonly string[]): SandboxBindings =>
  Object.assign(
    {},
    ...capabilitiesOf(new Set(enabled))
      .filter(({ key }) => STAND_INS[key]?.live === undefined)
      .map((capability) => textBindings(neededSecrets(capability))),
  )

function neededSecrets({ settings, secrets }: Capability): Record<string, string> {
  const given = Object.values(secrets(settings.parse({})))
  const needed = given.filter(({ isOptional }) => isOptional !== true)
  return Object.fromEntries(needed.map(({ binding }) => [binding, 'secret-of-checked-apps']))
}

/** Returns the bindings that replace a deployed worker's bindings in a check. Throws for an unknown type. */
export function sandboxBindings(deployed: readonly Binding[]): SandboxBindings {
  return Object.fromEntries(
    deployed.flatMap((binding) => {
      const found = sandboxBinding(binding)
      return found === null ? [] : [[binding.name, found]]
    }),
  )
}

function sandboxBinding(binding: Binding): SandboxBinding | null {
  switch (binding.type) {
    case 'r2_bucket':
      return { type: 'r2', name: binding.name.toLowerCase() }
    case 'workflow':
      return FLOW_BINDING
    case 'ai':
      return exportBinding('models', 'Models')
    case 'analytics_engine':
      return exportBinding('jobs', 'Events')
    case 'browser':
      return exportBinding('jobs', 'Browser')
    case 'stream':
      return exportBinding('jobs', 'Stream')
    // `workersOf` adds the bindings for Durable Objects and queues. A check serves no images and no uploaded assets.
    case 'service':
    case 'queue':
    case 'images':
      return null
    default:
      throw new Error(`a check has nothing in place of a ${binding.type} binding yet`)
  }
}
