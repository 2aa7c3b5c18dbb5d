export interface CapabilitiesTables {
  capability_secrets: CapabilitySecretsTable
}

export interface CapabilitySecretsTable {
  org_id: string
  project_id: string
  key: string
  name: string
  sealed: string
  created_at: Date
}
