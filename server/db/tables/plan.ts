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
  attachments: string
  usage: string | null
  tickets: string[]
  provider: string | null
  model: string | null
  lease: number
  heartbeat_at: Date | null
  created_at: Date
  /** The agent had text from outside in its context when it wrote this. */
  read_outside: boolean
}
