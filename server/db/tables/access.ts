export interface AccessTables {
  api_keys: ApiKeysTable
  encryption_keys: EncryptionKeysTable
  idempotency_keys: IdempotencyKeysTable
  organization_settings: OrganizationSettingsTable
}

export interface ApiKeysTable {
  id: string
  org_id: string
  created_by: string | null
  name: string
  prefix: string
  key_hash: string
  scopes: string[]
  source: 'console' | 'device'
  expires_at: Date | null
  last_used_at: Date | null
  created_at: Date
}

export interface EncryptionKeysTable {
  kid: string
  check_value: string
  created_at: Date
}

export interface IdempotencyKeysTable {
  org_id: string
  user_id: string
  path: string
  key: string
  body_hash: string
  claim: string
  claimed_until: Date
  body: string | null
  expires_at: Date
  created_at: Date
}

export interface OrganizationSettingsTable {
  org_id: string
  plan: 'free' | 'starter' | 'pro' | 'enterprise'
  suspended_at: Date | null
  created_at: Date
}
