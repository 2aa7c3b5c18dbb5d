import { dataWorkerModules } from '../products/storage/worker.ts'
import { internalWorker, type InternalWorker } from './internal-worker.ts'
import type { RuntimeBinding } from '../products/binding.ts'
import type { Resource } from '../products/storage/resources.ts'
import { pingWorker } from './ping.ts'
import { DATA_WORKER, type GroupPlan } from './plan.ts'
import { shimsWorker } from './shims/worker.ts'
import { tailWorker } from '../observability/tail/worker.ts'
import { workflowsWorker } from '../products/workflows/worker.ts'

const dataWorker: InternalWorker = {
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

const allWorkers: InternalWorker[] = [pingWorker, dataWorker, tailWorker, shimsWorker, workflowsWorker]

/**
 * Returns the internal workers that a process needs. The temporary process that validates an upload gets only
 * those that uploaded workers have bindings to.
 */
export function internalWorkers(plan: GroupPlan, isValidation: boolean): InternalWorker[] {
  return allWorkers.filter((worker) => worker.isNeeded(plan) && (worker.isBound || !isValidation))
}
