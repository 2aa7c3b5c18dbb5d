import { bucketWorkerSource } from './bucket-worker.ts'
import { internalWorker, type InternalWorker } from './internal-worker.ts'
import { BUCKET_WORKER, type GroupPlan, PING_WORKER } from './plan.ts'
import { tailWorker } from './tail/tail-internal.ts'

/** Shows that the process still turns its event loop; it is also what starts a group without a request. */
const ping: InternalWorker = {
  name: PING_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: () => true,
  build: () => internalWorker(PING_WORKER, `export default { fetch: () => new Response('ok') }`),
}

const buckets: InternalWorker = {
  name: BUCKET_WORKER,
  hasSocket: true,
  isBound: false,
  isNeeded: (plan) => plan.buckets.length > 0,
  build: (plan) =>
    internalWorker(BUCKET_WORKER, bucketWorkerSource, {
      env: Object.fromEntries(plan.buckets.map(({ id }) => [id, { type: 'r2' as const, name: id }])),
    }),
}

/** A new one is a line here. */
const all: InternalWorker[] = [ping, buckets, tailWorker]

/** Those a group runs beside its own, in a validation boot or for real. */
export function internalWorkers(plan: GroupPlan, isValidation: boolean): InternalWorker[] {
  return all.filter((worker) => worker.isNeeded(plan) && (worker.isBound || !isValidation))
}
