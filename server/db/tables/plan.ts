import type { Generated } from 'kysely'

export type PlanStatus = 'running' | 'complete' | 'stopped' | 'failed'

export interface PlanTables {
  plan_messages: PlanMessagesTable
}

export interface PlanMessagesTable {
  id: string
  org_id: string
  project_id: string
  role: 'user' | 'agent'
  status: PlanStatus
  text: string
  actor: string | null
  error: string | null
  attachments: Generated<string>
  usage: string | null
  tickets: Generated<string[]>
  provider: string | null
  model: string | null
  lease: Generated<number>
  heartbeat_at: Date | null
  created_at: Date
}
