import type { WorkerOptions } from 'miniflare'
import type { InstanceSetup } from './setup.ts'
import type { GroupPlan } from '../workerd/plan.ts'
import { workerService } from '../workerd/native-binding.ts'

/** A worker that the emulator adds to the process of an app, for example to implement a product behind the app's bindings. */
export interface InternalWorker {
  name: string
  /** Whether this Node process calls the worker over a socket. */
  hasSocket: boolean
  /**
   * Whether this worker also runs in the temporary process that validates an upload, because uploaded workers
   * have bindings to it.
   */
  isBound: boolean
  isNeeded(plan: GroupPlan): boolean
  build(plan: GroupPlan, setup: InstanceSetup): WorkerOptions
}

/** Internal workers have names that begin with an underscore. */
export function isInternalService(service: string): boolean {
  return service.startsWith(workerService('_'))
}

const INTERNAL_DATE = '2026-06-01'

/** Returns the options of an internal worker. `source` is one module, or several with the entry `index.js`. */
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
