import type { Generated, GeneratedAlways } from 'kysely'

// One interface per table, columns exactly as in migrations/*.sql. A test reads this file's text and compares
// every column, null, default and type with the database, so keep one column per line.

export type ModelProvider = 'anthropic' | 'openai' | 'google' | 'openai-compatible' | 'scaffold'
export type TicketStatus = 'backlog' | 'todo' | 'in_progress' | 'in_review' | 'done' | 'cancelled'
export type TicketType = 'epic' | 'feature' | 'task' | 'bug' | 'chore'
export type TicketPriority = 'none' | 'low' | 'medium' | 'high' | 'urgent'
export type RunStatus = 'queued' | 'running' | 'awaiting' | 'succeeded' | 'failed' | 'cancelled'
export type RunOutcome = 'built' | 'awaiting' | 'replied'

/** Every table the service's own SQL may name. */
export interface Schema {
  account: AccountTable
  activity: ActivityTable
  api_keys: ApiKeysTable
  capabilities: CapabilitiesTable
  connections: ConnectionsTable
  deployments: DeploymentsTable
  encryption_keys: EncryptionKeysTable
  events: EventsTable
  git_objects: GitObjectsTable
  git_refs: GitRefsTable
  idempotency_keys: IdempotencyKeysTable
  invitation: InvitationTable
  member: MemberTable
  model_connections: ModelConnectionsTable
  organization: OrganizationTable
  organization_settings: OrganizationSettingsTable
  processes: ProcessesTable
  projects: ProjectsTable
  resources: ResourcesTable
  run_events: RunEventsTable
  run_steps: RunStepsTable
  runs: RunsTable
  schema_migrations: SchemaMigrationsTable
  session: SessionTable
  tickets: TicketsTable
  token_usage: TokenUsageTable
  user: UserTable
  verification: VerificationTable
  versions: VersionsTable
}

export interface AccountTable {
  id: string
  accountId: string
  providerId: string
  userId: string
  accessToken: string | null
  refreshToken: string | null
  idToken: string | null
  accessTokenExpiresAt: Date | null
  refreshTokenExpiresAt: Date | null
  scope: string | null
  password: string | null
  createdAt: Generated<Date>
  updatedAt: Date
}

export interface ActivityTable {
  id: string
  org_id: string
  at: Date
  provider: 'cloudflare' | 'github' | 'slipway'
  actor: string
  action: string
  target: string
  status: 'ok' | 'failed'
  project_id: string | null
  project_name: string | null
  detail: string | null
  created_at: Date
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

export interface CapabilitiesTable {
  project_id: string
  key: string
  enabled: boolean
  settings: string
  state: 'creating' | 'idle' | 'error'
  error: string | null
  generation: number
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

export interface DeploymentsTable {
  id: string
  org_id: string
  project_id: string
  tier: 'production' | 'preview'
  sha: string
  status: 'deploying' | 'live' | 'superseded' | 'failed'
  version_id: string | null
  content_hash: string | null
  url: string | null
  actor: string | null
  error: string | null
  live_at: Date | null
  created_at: Date
}

export interface EncryptionKeysTable {
  kid: string
  check_value: string
  created_at: Date
}

export interface EventsTable {
  id: string
  org_id: string
  project_id: string
  type: string
  body: string
  created_at: Date
}

export interface GitObjectsTable {
  project_id: string
  oid: string
  type: 'blob' | 'tree' | 'commit'
  data: Buffer
  created_at: Date
}

export interface GitRefsTable {
  project_id: string
  name: string
  oid: string
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

export interface InvitationTable {
  id: string
  organizationId: string
  email: string
  role: string | null
  status: string
  expiresAt: Date
  createdAt: Generated<Date>
  inviterId: string
}

export interface MemberTable {
  id: string
  organizationId: string
  userId: string
  role: string
  createdAt: Date
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
  created_at: Date
}

export interface OrganizationTable {
  id: string
  name: string
  slug: string
  logo: string | null
  createdAt: Date
  metadata: string | null
}

export interface OrganizationSettingsTable {
  org_id: string
  plan: 'free' | 'starter' | 'pro' | 'enterprise'
  suspended_at: Date | null
  created_at: Date
}

export interface ProcessesTable {
  id: GeneratedAlways<number>
  role: string
  host: string
  seen_at: Date
  version: string
  created_at: Date
}

export interface ProjectsTable {
  id: string
  org_id: string
  name: string
  name_fold: string
  slug: string
  slug_set: Generated<boolean>
  slug_locked_at: Date | null
  lifecycle: Generated<'offline' | 'live' | 'archived'>
  provision_error: string | null
  model_connection_id: string | null
  model: string | null
  head_sha: string | null
  url: string | null
  preview_url: string | null
  preview_sha: string | null
  built_at: Date | null
  live_at: Date | null
  archived_at: Date | null
  updated_at: Date
  created_at: Date
}

export interface ResourcesTable {
  id: string
  org_id: string
  project_id: string
  capability: string | null
  tier: 'production' | 'preview' | 'shared'
  kind: string
  name: string
  provider_id: string | null
  account_id: string
  state: 'creating' | 'ok' | 'error'
  version_id: string | null
  detail: string | null
  updated_at: Date
  created_at: Date
}

export interface RunEventsTable {
  run_id: string
  seq: number
  body: string
  at: Date
}

export interface RunStepsTable {
  run_id: string
  step: number
  message: string
  results: string
  tree: string
  usage: string
  created_at: Date
}

export interface RunsTable {
  id: string
  org_id: string
  project_id: string
  ticket_id: string
  attempt: number
  resumed_from: string | null
  status: RunStatus
  outcome: RunOutcome | null
  stage: 'model' | 'tools' | 'publishing'
  trigger: 'api' | 'stream' | 'queue'
  scopes: string[]
  actor: string | null
  lease: number
  process_id: number | null
  heartbeat_at: Date | null
  connection_id: string | null
  provider: string
  model: string
  limits: string
  base_sha: string | null
  sha: string | null
  input: string
  files: string
  checks: string
  questions: string | null
  message: string | null
  error: string | null
  usage: string
  last_seq: number
  started_at: Date | null
  finished_at: Date | null
  created_at: Date
}

export interface SessionTable {
  id: string
  expiresAt: Date
  token: string
  createdAt: Generated<Date>
  updatedAt: Date
  ipAddress: string | null
  userAgent: string | null
  userId: string
  activeOrganizationId: string | null
  authMethod: string | null
  ssoProviderId: string | null
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
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
  url: string | null
  created_by: string | null
  updated_at: Date
  created_at: Date
}

export interface TokenUsageTable {
  id: GeneratedAlways<number>
  project_id: string
  run_id: string | null
  provider: string
  model: string
  input: number
  output: number
  reasoning: number
  cache_read: number
  cache_write: number
  estimated: boolean
  created_at: Date
}

export interface UserTable {
  id: string
  name: string
  email: string
  emailVerified: boolean
  image: string | null
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
}

export interface VerificationTable {
  id: string
  identifier: string
  value: string
  expiresAt: Date
  createdAt: Generated<Date>
  updatedAt: Generated<Date>
}

export interface VersionsTable {
  project_id: string
  sha: string
  parent_sha: string | null
  run_id: string | null
  ticket_id: string | null
  author: string
  message: string
  files: number
  generated_by: string | null
  created_at: Date
}

/** Written by the migration runner alone. */
export interface SchemaMigrationsTable {
  number: number
  name: string
  sha256: string
  applied_at: Generated<Date>
  took_ms: number
}
