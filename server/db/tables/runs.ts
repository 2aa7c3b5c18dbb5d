import type { AssistantModelMessage, ModelMessage } from 'ai'
import type { ColumnType, GeneratedAlways, RawBuilder, Selectable } from 'kysely'
import type { ModelProvider } from './connections.ts'

/**
 * A column of type `json`. It is read as a value and written with `json()` of db/json.ts, because the driver would
 * write an array as a Postgres array. It is not `jsonb`, which refuses NUL and unpaired surrogates, and reorders keys
 * (docs/decisions/0037).
 */
type JsonColumn<T> = ColumnType<T, RawBuilder<T>, RawBuilder<T>>

export type RunStatus = 'queued' | 'running' | 'awaiting' | 'succeeded' | 'failed' | 'cancelled'
/** The reason why the first ticket of a queue waits although it could be built. */
export type QueueWaitReason = 'model' | 'allowance' | 'suspended' | 'tokens'
export type RunOutcome = 'built' | 'awaiting' | 'replied'

export interface RunsTables {
  build_queue: BuildQueueTable
  build_starts: BuildStartsTable
  preview_errors: PreviewErrorsTable
  run_events: RunEventsTable
  run_inputs: RunInputsTable
  run_steps: RunStepsTable
  runs: RunsTable
  token_limits: TokenLimitsTable
  token_months: TokenMonthsTable
  token_usage: TokenUsageTable
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
  deaths: number
  heartbeat_at: Date | null
  connection_id: string | null
  provider: ModelProvider
  model: string
  limits: JsonColumn<StoredLimits>
  base_sha: string | null
  sha: string | null
  input: JsonColumn<RunInput>
  files: JsonColumn<StoredChange[]>
  checks: JsonColumn<StoredCheck[]>
  questions: JsonColumn<StoredQuestion[]> | null
  message: string | null
  error: JsonColumn<StoredFailure> | null
  usage: JsonColumn<StoredUsage>
  preview_url: string | null
  last_seq: number
  started_at: Date | null
  finished_at: Date | null
  folded_at: Date | null
  created_at: Date
}

export type RunRow = Selectable<RunsTable>

export interface StoredLimits {
  steps: number
  tokens: number
  minutes: number
}

export interface RunInput {
  prepared: PreparedInput | null
  previewErrors: StoredPreviewError[]
  files?: StoredFile[]
}

/** The first input of the model. It is created when a run is executed for the first time, and a restarted run uses it again. */
export interface PreparedInput {
  instructions: string
  opening: ModelMessage[]
  /** Paths of the files whose text is in the opening messages. */
  shown: string[]
  /** The git tree of the app's files with which the result is compared. */
  base: string
  /** The git tree with which the run begins: `base`, or the draft of an earlier run. */
  start: string
  /** The shortened conversation. Absent until the conversation had to be shortened. */
  compaction?: { opening: ModelMessage[]; upTo: number; shown: string[] }
}

export interface StoredFile {
  key: string
  mediaType: string
}

export interface StoredChange {
  path: string
  added: number
  removed: number
}

export interface StoredCheck {
  name: string
  ok: boolean
  ms: number
  errors: {
    phase: string
    file: string
    line: number
    column: number
    code: string
    message: string
    excerpt: string
  }[]
}

export interface StoredQuestion {
  id: string
  question: string
  options: string[]
  default: string
  multiple?: boolean | undefined
}

export interface StoredFailure {
  kind:
    | 'model_error'
    | 'rate_limited'
    | 'attachments_unsupported'
    | 'check_failed'
    | 'stuck'
    | 'step_limit'
    | 'time_limit'
    | 'budget'
    | 'context_limit'
    | 'interrupted'
    | 'unavailable'
    | 'server_error'
  message: string
}

export interface StoredUsage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}

export interface BuildQueueTable {
  org_id: string
  project_id: string
  ticket_id: string
  position: number
  actor: string | null
  scopes: string[]
  not_before: Date | null
  /**
   * The reason why the project's first ticket in the queue is not built yet, and the latest time until which it
   * waits. Both are null while it does not wait.
   */
  waiting: QueueWaitReason | null
  waiting_until: Date | null
  created_at: Date
}

/** One row for each build that an organization started. The rows of the last hour are counted against the organization's build limit. */
export interface BuildStartsTable {
  id: GeneratedAlways<number>
  org_id: string
  created_at: Date
}

export interface PreviewErrorsTable {
  ticket_id: string
  project_id: string
  errors: JsonColumn<StoredPreviewError[]>
  created_at: Date
}

export interface StoredPreviewError {
  message: string
  stack?: string | undefined
  source?: string | undefined
  line?: number | undefined
  column?: number | undefined
  at?: string | undefined
}

export interface RunInputsTable {
  id: string
  org_id: string
  run_id: string
  ticket_id: string
  text: string
  files: JsonColumn<StoredFile[]> | null
  delivery: 'delivered' | 'next_build'
  actor: string | null
  read_by: string | null
  created_at: Date
}

export interface RunEventsTable {
  run_id: string
  seq: number
  /** The `type` field of `body`, so that no query has to parse the JSON. */
  type: string
  /** One message of the build's event stream as JSON text, which is sent to every reader unchanged. */
  body: string
  at: Date
}

export interface RunStepsTable {
  run_id: string
  step: number
  /**
   * `message`, `results` and `usage` contain JSON as text, because they are large, written after each tool call, and
   * read only to continue the run.
   */
  message: JsonText<StoredResponse>
  results: JsonText<StoredResult[]>
  tree: string
  usage: JsonText<StoredCallUsage>
  created_at: Date
  begun: number | null
}

/** The model's response of a step. The results of its calls are in another column, because they are stored later. */
export interface StoredResponse {
  before: string[]
  files?: StoredFile[]
  message: AssistantModelMessage
  calls: StoredCall[]
}

export interface StoredCall {
  id: string
  name: string
  args: unknown
  problem: { code: 'invalid_arguments' | 'unknown_tool' | 'too_many_calls'; message: string } | null
}

export interface StoredResult {
  id: string
  name: string
  ok: boolean
  text: string
  code: string | null
  signature: string | null
  end: { kind: 'finish'; summary: string } | { kind: 'ask'; questions: StoredQuestion[] } | null
}

export interface StoredCallUsage extends StoredUsage {
  reasoning: number
  estimated: boolean
}

export interface TokenUsageTable {
  id: GeneratedAlways<number>
  project_id: string
  run_id: string | null
  ticket_id: string | null
  provider: string
  model: string
  input: number
  output: number
  reasoning: number
  cache_read: number
  cache_write: number
  estimated: boolean
  counted: number
  created_at: Date
}

export interface TokenLimitsTable {
  org_id: string
  monthly: number | null
  per_ticket: number | null
  updated_at: Date
}

export interface TokenMonthsTable {
  org_id: string
  month: string
  used: number
}
