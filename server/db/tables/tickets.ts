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
  /** Ids of the tickets that must be built before this one. */
  depends_on: Generated<string[]>
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
  url: string | null
  created_by: string | null
  updated_at: Date
  created_at: Date
  search_fold: Generated<string>
  /** A generated column: true while the ticket is neither done nor cancelled. */
  is_active: boolean
  /** Keys of the attachments that every build of the ticket gets. */
  attachments: Generated<string[]>
  /** True when the plan agent wrote the ticket while its context contained text that another system had posted (an idea). */
  from_outside: Generated<boolean>
  /** The reason why the ticket was removed from the build queue without being built. */
  queue_refusal: 'attachments' | 'awaiting' | 'ticket_tokens' | null
}

/**
 * Triggers maintain this table. Each count is split into several rows (`slot`), so that simultaneous changes
 * do not wait for each other; `n` is one part of the sum.
 */
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
  /**
   * A number that increases with each label that is new in its project. Labels are listed by this number, in the order
   * of their first use.
   */
  first_place: GeneratedAlways<number>
}

/** The number of a ticket's descendants in each status: `n` counts all descendants, `children` only the direct ones. */
export interface TicketRollupsTable {
  ticket_id: string
  status: TicketStatus
  n: number
  children: number
}
