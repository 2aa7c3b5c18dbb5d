import { dataWorkerModules } from './data/worker.ts'
import { internalWorker, type InternalWorker } from './internal-worker.ts'
import type { RuntimeBinding } from './bindings/shape.ts'
import type { Resource } from './resources.ts'
import { DATA_WORKER, type GroupPlan, PING_WORKER } from './plan.ts'
import { shimsWorker } from './shims/worker.ts'
import { tailWorker } from './tail/tail-internal.ts'
import { flowsWorker } from './workflows/flows-worker.ts'

/** Control may ask it to spin as an app would, to see that somebody notices. */
const pingSource = `
export default {
  fetch(request) {
    if (new URL(request.url).pathname === '/spin') for (;;);
    return new Response('ok')
  },
}
`

/** Shows that the process still turns its event loop; it is also what starts a group without a request. */
const ping: InternalWorker = {
  name: PING_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: () => true,
  build: () => internalWorker(PING_WORKER, pingSource),
}

const data: InternalWorker = {
  name: DATA_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: (plan) => plan.resources.length > 0,
  build: (plan) =>
    internalWorker(DATA_WORKER, dataWorkerModules, {
      env: Object.fromEntries(plan.resources.map((resource) => [resource.id, bindingOf(resource)])),
    }),
}

const bindingOf = ({ kind, id }: Resource): RuntimeBinding =>
  kind === 'r2' ? { type: kind, name: id } : { type: kind, id }

/** A new one is a line here. */
const all: InternalWorker[] = [ping, data, tailWorker, shimsWorker, flowsWorker]

/** Those a group runs beside its own, in a validation boot or for real. */
export function internalWorkers(plan: GroupPlan, isValidation: boolean): InternalWorker[] {
  return all.filter((worker) => worker.isNeeded(plan) && (worker.isBound || !isValidation))
}
