import type { Config, Service, ServiceDesignator } from 'miniflare'
import { isInternalService } from './internal-worker.ts'

/**
 * Every worker in workerd's configuration is an isolate of about 2 MB from the start on, used or not. Miniflare adds
 * many: two beside each worker, an entry for its own API, a store of mails.
 */

const NOTHING = 'slipway:nothing'
const ENTRY_SOCKET = 'entry'

/** The same app with fewer isolates: equal ones once, and none that no request can come to. */
export function leanConfig(config: Config): Config {
  const shared = sharedServices(config.services ?? [])
  const services = (config.services ?? []).map((service) => redirect(service, shared))
  const sockets = (config.sockets ?? []).map(leadPastProxy)
  const reached = reachedFrom(sockets, services)
  const kept = services.filter((service) => !('worker' in service) || reached.has(service.name))
  return { ...config, sockets, services: [...kept, { name: NOTHING, network: { allow: [], deny: [] } }] }
}

type Socket = NonNullable<Config['sockets']>[number]

/**
 * The proxy before an asset router is for callers inside the process, the only ones that can call methods. Nobody
 * uses the entry, which every worker and Miniflare's own API hang on; its socket has to listen all the same.
 */
function leadPastProxy(socket: Socket): Socket {
  if (socket.name === ENTRY_SOCKET) return { ...socket, service: { name: NOTHING } }
  const worker = /^assets:rpc-proxy:(.*)$/.exec(socket.service?.name ?? '')?.[1]
  return worker === undefined ? socket : { ...socket, service: { name: `assets:router:${worker}` } }
}

/** What stands between a worker and the network or the cache keeps nothing: one of a kind serves all workers. */
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

type Bindings = NonNullable<NonNullable<Extract<Service, { worker?: unknown }>['worker']>['bindings']>

/** The name of the worker, in which they differ, is sent along only where the address of the visitor is taken away. */
function bindingsRead(bindings: Bindings): Bindings {
  const isUnread = bindings.some(
    (binding) => binding.name === 'STRIP_CF_CONNECTING_IP' && 'json' in binding && binding.json === 'false',
  )
  return isUnread ? bindings.filter(({ name }) => name !== 'CF_WORKER_ZONE') : bindings
}

/** Leads a worker to what it shares; one of ours has no business outside at all. */
function redirect(service: Service, shared: Map<string, string>): Service {
  if (!('worker' in service) || service.worker === undefined) return service
  const isOurs = isInternalService(service.name ?? '')
  const to = (old: ServiceDesignator): ServiceDesignator => {
    const first = shared.get(old.name ?? '')
    if (isOurs) return { name: NOTHING }
    return first === undefined ? old : { ...old, name: first }
  }
  const { globalOutbound, cacheApiOutbound } = service.worker
  const worker = {
    ...service.worker,
    ...(globalOutbound === undefined ? {} : { globalOutbound: to(globalOutbound) }),
    ...(cacheApiOutbound === undefined ? {} : { cacheApiOutbound: to(cacheApiOutbound) }),
  }
  return { ...service, worker }
}

/** Names of all services that are mentioned by something that can run, beginning at the sockets. */
function reachedFrom(sockets: Socket[], services: Service[]): Set<string | undefined> {
  const byName = new Map(services.map((service) => [service.name, service]))
  const reached = new Set<string | undefined>()
  const visit = (value: unknown): void => {
    if (typeof value === 'string') {
      const service = byName.get(value)
      if (service === undefined || reached.has(value)) return
      reached.add(value)
      visit(service)
    } else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)) {
      for (const [field, inner] of Object.entries(value)) if (field !== 'modules') visit(inner)
    }
  }
  visit(sockets)
  return reached
}
