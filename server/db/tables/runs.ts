import type { GeneratedAlways } from 'kysely'

export type RunStatus = 'queued' | 'running' | 'awaiting' | 'succeeded' | 'failed' | 'cancelled'
/** Why the first ticket of a queue waits although it could be built. */
export type BuildWaiting = 'model' | 'allowance' | 'suspended'
export type RunOutcome = 'built' | 'awaiting' | 'replied'

export interface RunsTables {
  build_queue: BuildQueueTable
  build_starts: BuildStartsTable
  preview_errors: PreviewErrorsTable
  run_events: RunEventsTable
  run_inputs: RunInputsTable
  run_steps: RunStepsTable
  runs: RunsTable
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
  folded_at: Date | null
  created_at: Date
}

export interface BuildQueueTable {
  org_id: string
  project_id: string
  ticket_id: string
  position: number
  actor: string | null
  scopes: string[]
  not_before: Date | null
  /** Why the project's first ticket is waiting, and until when; null when it is not. */
  waiting: BuildWaiting | null
  waiting_until: Date | null
  created_at: Date
}

/** One build that an organization started; counts against its builds per hour. */
export interface BuildStartsTable {
  id: GeneratedAlways<number>
  org_id: string
  created_at: Date
}

export interface PreviewErrorsTable {
  ticket_id: string
  project_id: string
  errors: string
  created_at: Date
}

export interface RunInputsTable {
  id: string
  org_id: string
  run_id: string
  ticket_id: string
  text: string
  files: string | null
  delivery: 'delivered' | 'next_build'
  actor: string | null
  read_by: string | null
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
  begun: number | null
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
