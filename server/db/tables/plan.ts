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
  /** The keys of the files that the person attached to the message. */
  attachments: JsonText<string[]>
  usage: string | null
  tickets: string[]
  provider: string | null
  model: string | null
  lease: number
  heartbeat_at: Date | null
  created_at: Date
  /** True when the agent wrote this message while its context contained text that another system had posted (an idea). */
  read_outside: boolean
}
