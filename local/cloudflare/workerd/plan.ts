import type { Store } from '../../world/store.ts'
import { listGroupResources, type Resource } from '../store/resources.ts'
import { listGroupScripts, listNamespaces, readActiveVersion } from '../store/scripts.ts'
import type { Namespace, Script, VersionContent } from '../types.ts'
import { listGroupWorkflows, type Workflow } from '../store/workflows.ts'

export interface PlannedWorker {
  script: Script
  /**
   * The version that the version metadata binding returns; null while an upload is validated, before it has a
   * version.
   */
  version: { id: string; createdAt: number } | null
  content: VersionContent
  namespaces: Namespace[]
}

/** What one workerd process runs: a group of workers that use each other, and their resources. */
export interface GroupPlan {
  groupId: string
  accountId: string
  workers: PlannedWorker[]
  resources: Resource[]
  workflows: Workflow[]
  /** Names of the workers with an open tail session. */
  listening: string[]
}

/** Names of uploaded workers cannot begin with an underscore, so these names are never taken (`internal-workers.ts`). */
export const PING_WORKER = '_ping'
export const DATA_WORKER = '_data'
export const WORKFLOWS_WORKER = '_flows'

/** Reads the workers and resources of a group. Omits scripts without a deployment. */
export function readGroupPlan(store: Store, groupId: string, accountId: string): GroupPlan {
  const workers: PlannedWorker[] = []
  for (const script of listGroupScripts(store, groupId)) {
    const version = readActiveVersion(store, script.id)
    if (version === null) continue
    workers.push({ script, version, content: version.content, namespaces: listNamespaces(store, script.id) })
  }
  return {
    groupId,
    accountId,
    workers,
    resources: listGroupResources(store, groupId),
    workflows: listGroupWorkflows(store, groupId),
    listening: [],
  }
}

/** Returns the plan with this worker, in place of one with the same name. */
export function withWorker(plan: GroupPlan, worker: PlannedWorker): GroupPlan {
  const others = plan.workers.filter((other) => other.script.name !== worker.script.name)
  return { ...plan, workers: [...others, worker] }
}

/**
 * Returns what determines whether the workers of `plan` start and what `candidate` exports, as JSON. Worker names and binding values, which
 * differ from project to project, are omitted, so that the workers of a capability are validated once and not once per project.
 */
export function bootIdentity(plan: GroupPlan, candidate: PlannedWorker): string {
  const others = plan.workers.filter((worker) => worker !== candidate)
  const identities = [candidate, ...others].map(({ content, namespaces }) => [
    content.mainModule,
    content.modules.map(({ name, type, digest }) => [name, type, digest]),
    [content.compatibilityDate, content.compatibilityFlags],
    content.bindings.map((binding) => [
      binding.type,
      binding.name,
      binding['entrypoint'] ?? null,
      binding['class_name'] ?? null,
    ]),
    content.assets?.config ?? null,
    namespaces.map(({ className, storage }) => [className, storage]),
  ])
  return JSON.stringify(identities)
}
