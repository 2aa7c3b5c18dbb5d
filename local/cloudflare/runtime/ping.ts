import { fetchWorker } from '../workerd/worker-socket.ts'
import { internalWorker, type InternalWorker } from './internal-worker.ts'
import { type GroupPlan, PING_WORKER } from '../workerd/plan.ts'
import { nativeBinding, workerService } from '../workerd/native-binding.ts'

/**
 * Responds to pings. The action `evict`, which the control routes use in tests, evicts a Durable Object from
 * memory.
 */
const pingSource = `
import runtime from 'workerd:unsafe'
export default {
  async fetch(request, env) {
    const [, action, namespace, id] = new URL(request.url).pathname.split('/')
    if (action === 'evict') {
      const objects = env[namespace]
      await runtime.evict(objects.get(objects.idFromString(id)), { webSockets: 'hibernate' })
    }
    return new Response('ok')
  },
}
`

/** A response of this worker shows that the process's event loop runs. The worker is also called to start a process without a request. */
export const pingWorker: InternalWorker = {
  name: PING_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: () => true,
  build: (plan) =>
    internalWorker(PING_WORKER, pingSource, {
      compatibilityFlags: ['unsafe_module'],
      env: Object.fromEntries(namespacesOf(plan)),
    }),
}

function namespacesOf({ workers }: GroupPlan) {
  return workers.flatMap(({ script, namespaces }) =>
    namespaces.map(({ id, className }) => {
      const serviceName = workerService(script.name)
      return [id, nativeBinding({ durableObjectNamespace: { className, serviceName } })] as const
    }),
  )
}

/** Evicts an object from memory. Throws when that fails. */
export async function evictObject(socket: string, namespaceId: string, objectId: string): Promise<void> {
  const { ok } = await fetchWorker(socket, `/evict/${namespaceId}/${objectId}`)
  if (!ok) throw new Error(`the object ${objectId} was not evicted`)
}
