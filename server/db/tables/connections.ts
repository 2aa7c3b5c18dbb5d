export type ModelProvider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'openai-compatible'
  | 'workers-ai'
  | 'scaffold'

export interface ConnectionsTables {
  backups: BackupsTable
  connections: ConnectionsTable
  model_connections: ModelConnectionsTable
}

export interface BackupsTable {
  project_id: string
  org_id: string
  profile: 'real' | 'local'
  repository_id: string
  owner: string
  name: string
  url: string
  sha: string | null
  pushed_at: Date | null
  created_at: Date
}

export interface ConnectionsTable {
  id: string
  org_id: string
  provider: 'cloudflare' | 'github'
  profile: 'real' | 'local'
  account_id: string | null
  account_name: string | null
  subdomain: string | null
  token: string
  refresh_token: string | null
  scopes: string[]
  status: 'connected' | 'needs_reconnect'
  expires_at: Date | null
  created_at: Date
}

export interface ModelConnectionsTable {
  id: string
  org_id: string
  provider: ModelProvider
  label: string
  base_url: string | null
  key: string | null
  models: string[]
  default_model: string
  is_default: boolean
  limits: string | null
  modalities: string[] | null
  created_at: Date
}
