export type TicketStatus = 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled'
export type TicketType = 'epic' | 'feature' | 'task' | 'bug' | 'chore'
export type TicketPriority = 'none' | 'low' | 'medium' | 'high' | 'urgent'

export interface TicketsTables {
  tickets: TicketsTable
}

export interface TicketsTable {
  id: string
  org_id: string
  project_id: string
  title: string
  body: string
  status: TicketStatus
  type: TicketType
  priority: TicketPriority
  due_at: Date | null
  parent_id: string | null
  labels: string[]
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
  url: string | null
  created_by: string | null
  updated_at: Date
  created_at: Date
}
