import type { WorkerOptions } from 'miniflare'
import type { InstanceSetup } from './setup.ts'
import type { GroupPlan } from './plan.ts'
import { workerService } from './shims/native-binding.ts'

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

/** Whether a service of the process is such a worker. */
export function isInternalService(service: string): boolean {
  return service.startsWith(workerService('_'))
}

const INTERNAL_DATE = '2026-06-01'

/** Options of a worker of this cloud's own code: one module, or several of which `index.js` is the entry. */
export function internalWorker(
  name: string,
  source: string | Record<string, string>,
  more: Partial<WorkerOptions['config']> = {},
): WorkerOptions {
  const sources = typeof source === 'string' ? { 'index.js': source } : source
  const modules = Object.fromEntries(
    Object.entries(sources).map(([path, contents]) => [path, { type: 'esm' as const, contents }]),
  )
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
