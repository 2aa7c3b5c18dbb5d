import type { Generated, GeneratedAlways } from 'kysely'

export type TicketStatus = 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled'
export type TicketType = 'epic' | 'feature' | 'task' | 'bug' | 'chore'
export type TicketPriority = 'none' | 'low' | 'medium' | 'high' | 'urgent'

export interface TicketsTables {
  tickets: TicketsTable
  ticket_counts: TicketCountsTable
  ticket_rollups: TicketRollupsTable
  label_counts: LabelCountsTable
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
  /** Ids of the tickets that must be built first. */
  depends_on: Generated<string[]>
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
  url: string | null
  created_by: string | null
  updated_at: Date
  created_at: Date
  search_fold: Generated<string>
  /** Generated: neither done nor cancelled. */
  is_active: boolean
  /** Keys of attachments that every build of the ticket gets. */
  attachments: Generated<string[]>
  /** The plan agent wrote it with text from outside in its context. */
  from_outside: Generated<boolean>
  /** Why it left the build queue without a build. */
  queue_refusal: 'attachments' | 'awaiting' | 'ticket_tokens' | null
}

/** Maintained by triggers, like the next two: `n` is a partial sum, one row per slot. */
export interface TicketCountsTable {
  project_id: string
  kind: 'status' | 'type' | 'priority'
  value: string
  slot: number
  n: number
}

export interface LabelCountsTable {
  project_id: string
  label: string
  n: number
  /** Increases with every spelling that is new to its project. */
  first_place: GeneratedAlways<number>
}

/** Counts of a ticket's descendants in a status, in total and of direct children. */
export interface TicketRollupsTable {
  ticket_id: string
  status: TicketStatus
  n: number
  children: number
}
