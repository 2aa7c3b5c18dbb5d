import type { WorkerOptions } from 'miniflare'
import type { InstanceSetup } from './setup.ts'
import type { GroupPlan } from './plan.ts'
import { workerService } from './shims/native-binding.ts'

/** A worker of the local cloud that runs next to the uploaded ones. Uploads cannot have its name. */
export interface InternalWorker {
  name: string
  /** This process calls it over its own socket. */
  hasSocket: boolean
  /** Also part of a validation boot, because uploaded workers are bound to it. */
  isBound: boolean
  isNeeded(plan: GroupPlan): boolean
  build(plan: GroupPlan, setup: InstanceSetup): WorkerOptions
}

/** Whether a service belongs to an internal worker. */
export function isInternalService(service: string): boolean {
  return service.startsWith(workerService('_'))
}

const INTERNAL_DATE = '2026-06-01'

/** Builds the options of an internal worker from one module, or from several of which `index.js` is the entry. */
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
