export interface DomainTables {
  domains: DomainsTable
}

export interface DomainsTable {
  project_id: string
  org_id: string
  hostname: string
  facts: string | null
  seen_at: Date | null
  zone_checked_at: Date | null
  url: string | null
  problem: string | null
  created_at: Date
}
