import type { Store } from '../../world/store.ts'
import { listGroupResources, type Resource } from '../products/storage/resources.ts'
import { listGroupScripts, listNamespaces, readActiveVersion } from '../scripts/scripts.ts'
import type { Namespace, Script, VersionContent } from '../types.ts'
import { listGroupWorkflows, type Workflow } from '../products/workflows/store.ts'

export interface PlannedWorker {
  script: Script
  /** Id and time of the version, for the version metadata binding; null while it is being validated. */
  version: { id: string; createdAt: number } | null
  content: VersionContent
  namespaces: Namespace[]
}

/** What one app group runs: its deployed workers and the resources they may reach. */
export interface GroupPlan {
  groupId: string
  accountId: string
  workers: PlannedWorker[]
  resources: Resource[]
  workflows: Workflow[]
  /** Names of workers somebody listens to. */
  listening: string[]
}

/** Names of workers of this cloud's own (`internal-workers.ts`). */
export const PING_WORKER = '_ping'
export const DATA_WORKER = '_data'

/** The plan of a group as committed. Scripts without a deployment do not run. */
export function readPlan(store: Store, groupId: string, accountId: string): GroupPlan {
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

/** The same plan with one worker put in or exchanged. */
export function withWorker(plan: GroupPlan, worker: PlannedWorker): GroupPlan {
  const others = plan.workers.filter((other) => other.script.name !== worker.script.name)
  return { ...plan, workers: [...others, worker] }
}
