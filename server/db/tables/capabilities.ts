import type { Generated } from 'kysely'

export interface CapabilitiesTables {
  app_erasures: AppErasuresTable
  capability_secrets: CapabilitySecretsTable
}

export interface AppErasuresTable {
  org_id: string
  project_id: string
  user_id: string
  actor: string
  attempts: Generated<number>
  due_at: Date
  created_at: Date
}

export interface CapabilitySecretsTable {
  org_id: string
  project_id: string
  key: string
  name: string
  sealed: string
  created_at: Date
}
