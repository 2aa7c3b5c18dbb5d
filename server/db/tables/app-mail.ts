export interface AppMailTables {
  app_mail_domains: AppMailDomainsTable
  app_mailboxes: AppMailboxesTable
}

export interface AppMailDomainsTable {
  project_id: string
  org_id: string
  account_id: string
  zone_id: string
  domain: string
  local_part: string
  from_address: string | null
  created_at: Date
}

export interface AppMailboxesTable {
  project_id: string
  org_id: string
  local_part: string
  collection: string
  notify: boolean
}
