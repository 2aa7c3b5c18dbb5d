import { randomUUID } from 'node:crypto'
import { requireStored, type Store } from '../../world/store.ts'

/** Settings of a workflow. All are stored and returned; the local cloud applies only the number of steps. */
export interface WorkflowSettings {
  limits?: { steps?: number | undefined } | undefined
  [name: string]: unknown
}

export interface Workflow {
  id: string
  accountId: string
  scriptId: string
  scriptName: string
  groupId: string
  name: string
  className: string
  settings: WorkflowSettings
  versionId: string
  createdAt: number
  modifiedAt: number
  triggeredAt: number | null
}

interface WorkflowRow {
  id: string
  account_id: string
  script_id: string
  script_name: string
  group_id: string
  name: string
  class_name: string
  settings: JsonText<WorkflowSettings>
  version_id: string
  created_at: number
  modified_at: number
  triggered_at: number | null
}

function toWorkflow(row: WorkflowRow): Workflow {
  return {
    id: row.id,
    accountId: row.account_id,
    scriptId: row.script_id,
    scriptName: row.script_name,
    groupId: row.group_id,
    name: row.name,
    className: row.class_name,
    settings: JSON.parse(row.settings),
    versionId: row.version_id,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
    triggeredAt: row.triggered_at,
  }
}

const SELECT_WORKFLOWS = `SELECT workflows.*, scripts.name AS script_name, scripts.group_id
  FROM workflows JOIN scripts ON scripts.id = workflows.script_id`

export function findWorkflow(store: Store, accountId: string, name: string): Workflow | null {
  const row = store.get<WorkflowRow>(
    `${SELECT_WORKFLOWS} WHERE workflows.account_id = ? AND workflows.name = ?`,
    accountId,
    name,
  )
  return row === undefined ? null : toWorkflow(row)
}

export function listWorkflows(store: Store, accountId: string): Workflow[] {
  return store
    .all<WorkflowRow>(`${SELECT_WORKFLOWS} WHERE workflows.account_id = ? ORDER BY workflows.name`, accountId)
    .map(toWorkflow)
}

export function listGroupWorkflows(store: Store, groupId: string): Workflow[] {
  return store
    .all<WorkflowRow>(`${SELECT_WORKFLOWS} WHERE scripts.group_id = ? ORDER BY workflows.name`, groupId)
    .map(toWorkflow)
}

/** Creates or changes a workflow. Each change is a new version. */
export function putWorkflow(
  store: Store,
  input: Pick<Workflow, 'accountId' | 'scriptId' | 'name' | 'className' | 'settings'>,
  at: number,
): Workflow {
  store.run(
    `INSERT INTO workflows
       (id, account_id, script_id, name, class_name, settings, version_id, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (account_id, name) DO UPDATE SET script_id = excluded.script_id,
       class_name = excluded.class_name, settings = excluded.settings, version_id = excluded.version_id,
       modified_at = excluded.modified_at`,
    // A new id: a workflow recreated under an old name must not find the old instances.
    randomUUID(),
    input.accountId,
    input.scriptId,
    input.name,
    input.className,
    JSON.stringify(input.settings) satisfies WorkflowRow['settings'],
    randomUUID(),
    at,
    at,
  )
  return requireStored(findWorkflow(store, input.accountId, input.name))
}

export function setTriggered(store: Store, workflow: Workflow, at: number): void {
  store.run('UPDATE workflows SET triggered_at = ? WHERE id = ?', at, workflow.id)
}

export function deleteWorkflow(store: Store, workflow: Workflow): void {
  store.run('DELETE FROM workflows WHERE id = ?', workflow.id)
}
