import type { Config, Service, ServiceDesignator } from 'miniflare'
import { isInternalService } from './internal-worker.ts'

/**
 * Why `minimizeConfig` exists: workerd creates an isolate of about 2 MB for every worker in its configuration,
 * used or not, and Miniflare adds many workers: two for each worker of the app, one for Miniflare's API and one for a mail store.
 */

const EMPTY_MODULE = 'slipway:nothing'
const ENTRY_SOCKET = 'entry'

/** Returns a configuration with fewer isolates: merges equal services and removes services that no request can reach. */
export function minimizeConfig(config: Config): Config {
  const shared = sharedServices(config.services ?? [])
  const services = (config.services ?? []).map((service) => withSharedServices(service, shared))
  const sockets = (config.sockets ?? []).map(withoutProxy)
  const reached = reachedFrom(sockets, services)
  const kept = services.filter((service) => !('worker' in service) || reached.has(service.name))
  return { ...config, sockets, services: [...kept, { name: EMPTY_MODULE, network: { allow: [], deny: [] } }] }
}

type ConfigSocket = NonNullable<Config['sockets']>[number]

/**
 * Connects a socket directly to the asset router. The proxy before the router is needed only for RPC calls from other workers of the
 * process. The entry socket is never used, but it refers to every worker and cannot be removed. It is therefore connected to a service that
 * does nothing.
 */
function withoutProxy(socket: ConfigSocket): ConfigSocket {
  if (socket.name === ENTRY_SOCKET) return { ...socket, service: { name: EMPTY_MODULE } }
  const worker = /^assets:rpc-proxy:(.*)$/.exec(socket.service?.name ?? '')?.[1]
  return worker === undefined ? socket : { ...socket, service: { name: `assets:router:${worker}` } }
}

/**
 * Maps each duplicate network or cache service to the first equal service. Replacing a duplicate is safe because these services keep no
 * state.
 */
function sharedServices(services: Service[]): Map<string, string> {
  const [shared, firsts] = [new Map<string, string>(), new Map<string, string>()]
  for (const service of services) {
    const { name = '' } = service
    if (!/^(?:outbound|cache):\d+$/.test(name) || !('worker' in service)) continue
    const key = JSON.stringify({ ...service.worker, bindings: bindingsRead(service.worker?.bindings ?? []) })
    const first = firsts.get(key)
    if (first === undefined) firsts.set(key, name)
    else shared.set(name, first)
  }
  return shared
}

type WorkerBindings = NonNullable<NonNullable<Extract<Service, { worker?: unknown }>['worker']>['bindings']>

/**
 * Returns the bindings that a network service reads. The service reads `CF_WORKER_ZONE`, which differs for every worker, only when it
 * removes the visitor's address.
 */
function bindingsRead(bindings: WorkerBindings): WorkerBindings {
  const isUnread = bindings.some(
    (binding) => binding.name === 'STRIP_CF_CONNECTING_IP' && 'json' in binding && binding.json === 'false',
  )
  return isUnread ? bindings.filter(({ name }) => name !== 'CF_WORKER_ZONE') : bindings
}

/** Points a worker at the shared services. Internal workers get no network access. */
function withSharedServices(service: Service, shared: Map<string, string>): Service {
  if (!('worker' in service) || service.worker === undefined) return service
  const isOurs = isInternalService(service.name ?? '')
  const toShared = (old: ServiceDesignator): ServiceDesignator => {
    const first = shared.get(old.name ?? '')
    if (isOurs) return { name: EMPTY_MODULE }
    return first === undefined ? old : { ...old, name: first }
  }
  const { globalOutbound, cacheApiOutbound } = service.worker
  const worker = {
    ...service.worker,
    ...(globalOutbound === undefined ? {} : { globalOutbound: toShared(globalOutbound) }),
    ...(cacheApiOutbound === undefined ? {} : { cacheApiOutbound: toShared(cacheApiOutbound) }),
  }
  return { ...service, worker }
}

/** Returns the services that a socket reaches. All other services can be omitted. */
function reachedFrom(sockets: ConfigSocket[], services: Service[]): Set<string | undefined> {
  const byName = new Map(services.map((service) => [service.name, service]))
  const reached = new Set<string | undefined>()
  const visitValue = (value: unknown): void => {
    if (typeof value === 'string') {
      const service = byName.get(value)
      if (service === undefined || reached.has(value)) return
      reached.add(value)
      visitValue(service)
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [field, inner] of Object.entries(value)) if (field !== 'modules') visitValue(inner)
    }
  }
  visitValue(sockets)
  return reached
}
