import type { Generated } from 'kysely'

export type ModelProvider =
  | 'anthropic'
  | 'openai'
  | 'google'
  | 'openai-compatible'
  | 'workers-ai'
  | 'scaffold'

export type ConnectedProvider = 'cloudflare' | 'github'
export type ProfileName = 'real' | 'local'

export interface ConnectionsTables {
  backups: BackupsTable
  cloud_accounts: CloudAccountsTable
  connections: ConnectionsTable
  model_connections: ModelConnectionsTable
  oauth_states: OAuthStatesTable
}

export interface BackupsTable {
  project_id: string
  org_id: string
  profile: ProfileName
  repository_id: string
  owner: string
  name: string
  url: string
  sha: string | null
  pushed_at: Date | null
  created_at: Date
}

export interface CloudAccountsTable {
  org_id: string
  account_id: string
  profile: ProfileName
  name: string
  subdomain: string | null
  connected_at: Date
  created_at: Date
}

export interface ConnectionsTable {
  id: string
  org_id: string
  provider: ConnectedProvider
  profile: ProfileName
  method: Generated<'oauth' | 'token'>
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
  limits: JsonText<StoredModelLimits> | null
  modalities: string[] | null
  created_at: Date
}

export interface OAuthStatesTable {
  state_hash: string
  org_id: string
  user_id: string
  session_hash: string
  provider: ConnectedProvider
  profile: ProfileName
  verifier: string
  scopes: string[]
  next: string
  expires_at: Date
  created_at: Date
}

export interface StoredModelLimits {
  steps?: number | undefined
  tokens?: number | undefined
  minutes?: number | undefined
}
