export interface MailTables {
  mails: MailsTable
}

export interface MailsTable {
  id: string
  kind: 'verify' | 'reset' | 'invitation' | 'two-factor' | 'account-deleted' | 'help-answered'
  recipient: string
  content: string | null
  state: 'waiting' | 'held' | 'sent' | 'failed'
  problem: string | null
  updated_at: Date
  created_at: Date
}
