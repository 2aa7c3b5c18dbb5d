import { bindingKind } from '../products/index.ts'
import type { GroupPlan, PlannedWorker } from './plan.ts'

/**
 * Returns true when `after` only adds to `before`, and nothing that is added is bound to a worker of `before`. The process that
 * runs `before` then also serves under `after`, except for what was added.
 */
export function onlyAdds(before: GroupPlan, after: GroupPlan): boolean {
  const isSameIn = (worker: PlannedWorker): boolean => {
    const now = after.workers.find(({ script }) => script.id === worker.script.id)
    return now !== undefined && describe(worker, before) === describe(now, after)
  }
  return (
    before.workers.every(isSameIn) &&
    isWithin(before.resources, after.resources) &&
    isWithin(before.workflows, after.workflows) &&
    before.listening.join() === after.listening.join()
  )
}

/** Everything that a worker's code can notice, as text. */
const describe = (worker: PlannedWorker, plan: GroupPlan): string =>
  JSON.stringify([
    worker,
    worker.content.bindings.map((binding) => bindingKind(binding.type)?.env(binding, worker, plan) ?? null),
  ])

const isWithin = (some: readonly { id: string }[], all: readonly { id: string }[]): boolean => {
  const texts = new Set(all.map((one) => JSON.stringify(one)))
  return some.every((one) => texts.has(JSON.stringify(one)))
}
