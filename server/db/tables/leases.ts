export interface LeaseTables {
  project_leases: ProjectLeasesTable
}

export interface ProjectLeasesTable {
  project_id: string
  org_id: string
  purpose: 'domain' | 'provisioning'
  /** A random id of the work that has the lease. */
  holder: string
  leased_until: Date
}
