import type { Generated } from 'kysely'

export interface ProjectsTables {
  capabilities: CapabilitiesTable
  deployments: DeploymentsTable
  projects: ProjectsTable
  resource_tasks: ResourceTasksTable
  resources: ResourcesTable
}

export interface ProjectsTable {
  id: string
  org_id: string
  name: string
  name_fold: string
  slug: string
  slug_set: Generated<boolean>
  slug_locked_at: Date | null
  lifecycle: Generated<'offline' | 'live' | 'archived'>
  provision_error: string | null
  /** True while the deployed versions still have the bindings of a disabled capability or an outdated access code. */
  rebind_due: Generated<boolean>
  model_connection_id: string | null
  model: string | null
  head_sha: string | null
  url: string | null
  preview_url: string | null
  preview_sha: string | null
  live_at: Date | null
  archived_at: Date | null
  deleting_at: Date | null
  readme: string | null
  updated_at: Date
  created_at: Date
}

/** The columns that identify a project. A function that needs only these columns accepts any row of a project. */
export type ProjectIds = Pick<ProjectsTable, 'id' | 'org_id'>

/** The columns that identify a project, and its name for the activity log and for texts that people read. */
export type ProjectIdsAndName = Pick<ProjectsTable, 'id' | 'org_id' | 'name'>

export interface CapabilitiesTable {
  project_id: string
  key: string
  enabled: boolean
  settings: JsonText<Record<string, unknown>>
  state: 'creating' | 'idle' | 'error'
  error: string | null
  generation: number
  deployed_at: Date | null
  created_at: Date
}

export interface ResourcesTable {
  id: string
  org_id: string
  project_id: string
  capability: string | null
  tier: 'production' | 'preview' | 'shared'
  kind: string
  name: string
  provider_id: string | null
  account_id: string
  state: 'creating' | 'ok' | 'error'
  version_id: string | null
  detail: string | null
  found: 'ok' | 'missing' | 'drifted' | null
  looked_at: Date | null
  updated_at: Date
  created_at: Date
}

export interface DeploymentsTable {
  id: string
  org_id: string
  project_id: string
  tier: 'production' | 'preview'
  sha: string
  status: 'deploying' | 'live' | 'superseded' | 'failed' | 'rolled_back'
  version_id: string | null
  content_hash: string | null
  url: string | null
  actor: string | null
  error: string | null
  live_at: Date | null
  /**
   * The capabilities and the access code whose bindings the version has, as `bindingsKey` of releases/publish.ts
   * returns them. Deployments with equal values have equal bindings.
   */
  wiring: JsonText<string[]> | null
  created_at: Date
}

export interface ResourceTasksTable {
  id: string
  org_id: string
  project_id: string
  kind: 'rollback' | 'remove' | 'reconcile'
  resource_id: string | null
  deployment_id: string | null
  actor: string
  status: 'going' | 'done' | 'failed'
  result: string | null
  error_code: string | null
  error: string | null
  created_at: Date
}
