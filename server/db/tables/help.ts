export interface HelpTables {
  help_threads: HelpThreadsTable
  help_messages: HelpMessagesTable
  help_attachments: HelpAttachmentsTable
}

export interface HelpThreadsTable {
  id: string
  org_id: string
  subject: string
  state: 'open' | 'answered' | 'closed'
  created_by: string | null
  plan: string
  project_id: string | null
  project_name: string | null
  console: string | null
  last_at: Date
  created_at: Date
}

export interface HelpMessagesTable {
  id: string
  org_id: string
  thread_id: string
  author: 'member' | 'operator'
  created_by: string | null
  body: string
  is_mailed: boolean | null
  created_at: Date
}

export interface HelpAttachmentsTable {
  id: string
  org_id: string
  created_by: string | null
  message_id: string | null
  position: number | null
  name: string
  content_type: string
  size_bytes: number
  data: Buffer
  created_at: Date
}
