import type { WorkerOptions } from 'miniflare'
import { bucketWorkerSource } from './bucket-worker.ts'
import type { InstanceSetup } from './options.ts'
import { BUCKET_WORKER, type GroupPlan, PING_WORKER } from './plan.ts'

/** A worker this cloud puts beside the uploaded ones; its name is none an upload could have. */
export interface InternalWorker {
  name: string
  /** Spoken to by this process, on a socket of its own. */
  hasSocket: boolean
  /** Part of a validation boot too, because uploaded workers are bound to it. */
  isBound: boolean
  isNeeded(plan: GroupPlan): boolean
  build(plan: GroupPlan, setup: InstanceSetup): WorkerOptions
}

const INTERNAL_DATE = '2026-06-01'

/** Options of a worker of this cloud's own code. */
export function internalWorker(
  name: string,
  source: string,
  more: Partial<WorkerOptions['config']> = {},
): WorkerOptions {
  const modules = { 'index.js': { type: 'esm' as const, contents: source } }
  return {
    config: {
      name,
      compatibilityDate: INTERNAL_DATE,
      manifest: { mainModule: 'index.js', modules },
      ...more,
    },
    dev: { cacheAPI: false },
  }
}

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
const all: InternalWorker[] = [ping, buckets]

/** Those a group runs beside its own, in a validation boot or for real. */
export function internalWorkers(plan: GroupPlan, isValidation: boolean): InternalWorker[] {
  return all.filter((worker) => worker.isNeeded(plan) && (worker.isBound || !isValidation))
}
