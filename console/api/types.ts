import type { CheckError, FileChange, Question, Usage } from '@slipway/sdk/frames.ts'

/** The records the screens show (docs/api/openapi.json is where they are defined). */
export interface Me {
  kind: 'session' | 'key'
  user: { id: string; name: string; email: string }
  organization: { id: string; name: string; role: Role }
  plan: string
}
export type Role = 'owner' | 'admin' | 'member'

export interface Page<T> {
  items: T[]
  nextCursor: string | null
}

export interface Project {
  id: string
  name: string
  slug: string
  slugLocked: boolean
  lifecycle: 'offline' | 'live' | 'archived'
  url: string | null
  previewUrl: string | null
  provision: { state: 'creating' | 'idle' | 'error'; error: string | null }
  createdAt: string
  updatedAt: string
  deployedAt: string | null
  archivedAt: string | null
}

export const TICKET_STATUSES = ['backlog', 'todo', 'in_progress', 'in_review', 'done', 'cancelled'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]
export const TICKET_TYPES = ['epic', 'feature', 'task', 'bug', 'chore'] as const
export type TicketType = (typeof TICKET_TYPES)[number]
export const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const
export type Priority = (typeof PRIORITIES)[number]

export interface Ticket {
  id: string
  projectId: string
  title: string
  body: string
  status: TicketStatus
  type: TicketType
  priority: Priority
  dueAt: string | null
  parent: string | null
  labels: string[]
  origin: string | null
  source: 'human' | 'agent' | 'ingest'
  url: string | null
  build: {
    state: 'idle' | 'queued' | 'running' | 'awaiting'
    runId: string | null
    outcome: RunOutcome | null
  }
  createdBy: string | null
  createdAt: string
  updatedAt: string
}
export type TicketChange = Partial<Pick<Ticket, 'title' | 'body' | 'status' | 'type' | 'priority' | 'labels'>>

export type RunOutcome = 'built' | 'awaiting' | 'replied'
export interface Run {
  id: string
  projectId: string
  ticketId: string
  status: 'queued' | 'running' | 'awaiting' | 'succeeded' | 'failed' | 'cancelled'
  outcome: RunOutcome | null
  attempt: number
  model: string
  questions: Question[] | null
  message: string | null
  sha: string | null
  files: FileChange[]
  checks: { name: string; ok: boolean; ms: number; errors: CheckError[] }[]
  usage: Usage
  error: { kind: string; message: string } | null
  startedAt: string | null
  finishedAt: string | null
  createdAt: string
}

export interface Deployment {
  state: 'none' | 'deploying' | 'live' | 'error' | 'archived'
  url: string | null
  sha: string | null
  builtSha: string | null
  upToDate: boolean
  deployedAt: string | null
  error: string | null
}

export const SCOPES = [
  'projects:read',
  'projects:write',
  'tickets:write',
  'build:write',
  'deploy:write',
] as const
export type Scope = (typeof SCOPES)[number]
export interface ApiKey {
  id: string
  name: string
  prefix: string
  scopes: Scope[]
  source: string
  createdAt: string
  lastUsedAt: string | null
  expiresAt: string | null
}
export interface CreatedKey {
  id: string
  prefix: string
  key: string
  scopes: Scope[]
}

export const MODEL_PROVIDERS = ['anthropic', 'openai', 'google', 'openai-compatible', 'scaffold'] as const
export type ModelProvider = (typeof MODEL_PROVIDERS)[number]
export interface ModelConnection {
  id: string
  provider: ModelProvider
  label: string
  baseUrl: string | null
  models: string[]
  defaultModel: string
  isDefault: boolean
  hasKey: boolean
}
export interface ModelConnectionInput {
  provider: ModelProvider
  label: string
  baseUrl?: string
  key?: string
  models?: string[]
  defaultModel?: string
  isDefault?: boolean
}
export interface ModelTest {
  ok: boolean
  latencyMs: number
  models: string[]
  message: string | null
}

export interface Connections {
  cloudflare: {
    connected: boolean
    account: { id: string; name: string } | null
    method: string | null
    scopes: string[]
    missingScopes: string[]
  }
  github: { connected: boolean; login: string | null }
  role: Role
}
