import { bindingKind } from '../products/index.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'

/**
 * Returns true when the plan `after` only adds workers, resources or workflows to `before`, and no worker of `before` has a binding to an
 * addition. The process that runs `before` then restarts only when an addition is used.
 */
export function isAdditiveChange(before: GroupPlan, after: GroupPlan): boolean {
  const isSameIn = (worker: PlannedWorker): boolean => {
    const now = after.workers.find(({ script }) => script.id === worker.script.id)
    return now !== undefined && fingerprintOf(worker, before) === fingerprintOf(now, after)
  }
  return (
    before.workers.every(isSameIn) &&
    isSubset(before.resources, after.resources) &&
    isSubset(before.workflows, after.workflows) &&
    before.listening.join() === after.listening.join()
  )
}

/** Returns everything in a plan that a worker's code can observe, as JSON. A worker whose fingerprint changed needs a restart. */
const fingerprintOf = (worker: PlannedWorker, plan: GroupPlan): string =>
  JSON.stringify([
    worker,
    worker.content.bindings.map((binding) => bindingKind(binding.type)?.env(binding, worker, plan) ?? null),
  ])

const isSubset = (some: readonly { id: string }[], all: readonly { id: string }[]): boolean => {
  const texts = new Set(all.map((one) => JSON.stringify(one)))
  return some.every((one) => texts.has(JSON.stringify(one)))
}
