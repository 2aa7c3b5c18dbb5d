import type {
  ApiKey,
  GetTicketTreeResponses,
  ListProjectsResponses,
  LookForModelsData,
  ModelConnection,
  SearchTicketsData,
  SearchTicketsResponses,
  Ticket,
  UpdateTicketData,
  WebhookEndpoint,
} from '@slipway/sdk/client/types.gen.ts'

/** Short names for parts of the generated types. Lists such as `TICKET_STATUSES` are in the order of the screens. */
export type ProjectPage = ListProjectsResponses[200]['data']
/** The name of an event, or `*` for all of them. */
export type EventName = WebhookEndpoint['events'][number]
export type TicketStatus = Ticket['status']
export type TicketPriority = Ticket['priority']
export type TicketChange = NonNullable<UpdateTicketData['body']>
/** The filters of the ticket list. An omitted filter matches every ticket. */
export type TicketFilter = Omit<NonNullable<SearchTicketsData['query']>, 'cursor' | 'limit'>
export type TicketPage = SearchTicketsResponses[200]['data']
export type TreePage = GetTicketTreeResponses[200]['data']
/** A ticket of the tree, which also has the counts of its direct children. */
export type TreeTicket = TreePage['items'][number]
export type Scope = ApiKey['scopes'][number]
export type ModelProvider = ModelConnection['provider']

/** A pasted key or address for which to look up the models. */
export type ModelQuestion = NonNullable<LookForModelsData['body']>
/** A model provider that the service recognises by the form of its API keys. */
export type ModelService = NonNullable<ModelQuestion['service']>

/** A new model connection. `key` is missing for a server without one, `baseUrl` for a provider with a fixed address. */
export interface ModelConnectionInput {
  provider: ModelProvider
  label: string
  baseUrl?: string
  key?: string
  models?: string[]
  defaultModel?: string
  isDefault?: true
}

export const TICKET_STATUSES = [
  'backlog',
  'todo',
  'in_progress',
  'in_review',
  'done',
  'cancelled',
] as const satisfies TicketStatus[]
export const TICKET_TYPES = ['epic', 'feature', 'task', 'bug', 'chore'] as const satisfies Ticket['type'][]
export const PRIORITIES = ['none', 'low', 'medium', 'high', 'urgent'] as const satisfies Ticket['priority'][]
export const KEY_SCOPES = [
  'projects:read',
  'projects:write',
  'tickets:write',
  'build:write',
  'deploy:write',
] as const satisfies Scope[]
export const MODEL_PROVIDERS = [
  'anthropic',
  'openai',
  'google',
  'openai-compatible',
  'workers-ai',
  'scaffold',
] as const satisfies ModelProvider[]
