import type { InternalWorker } from './internal-worker.ts'
import { dataWorker } from './data-worker.ts'
import { pingWorker } from './ping.ts'
import type { GroupPlan } from '../workerd/plan.ts'
import { shimsWorker } from './shims/worker.ts'
import { tailWorker } from './tail-worker.ts'
import { workflowsWorker } from './workflows-worker.ts'

const allWorkers: InternalWorker[] = [pingWorker, dataWorker, tailWorker, shimsWorker, workflowsWorker]

/**
 * Returns the internal workers that a process needs. The temporary process that validates an upload gets only the internal workers to which
 * uploaded workers have bindings.
 */
export function internalWorkers(plan: GroupPlan, isValidation: boolean): InternalWorker[] {
  return allWorkers.filter((worker) => worker.isNeeded(plan) && (worker.isBound || !isValidation))
}
