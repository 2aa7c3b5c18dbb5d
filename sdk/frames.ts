/** The frames of a build stream. Unknown types and fields of a newer service pass through unchanged. */
export interface Usage {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
}
export interface CheckError {
  phase: string
  file: string | null
  line: number | null
  column: number | null
  code: string | null
  message: string
  excerpt: string | null
}
export interface Question {
  id: string
  question: string
  options: string[]
  default: string
  multiple?: boolean
}
export interface FileChange {
  path: string
  added: number
  removed: number
}

export type BuildFrame =
  | {
      type: 'run'
      run: string
      ticketId: string
      attempt: number
      trigger: string
      model: string
      generatedBy: string
    }
  | { type: 'step'; n: number; limit: number }
  | { type: 'delta'; text?: string; reasoning?: string; toolChars?: number; tool?: string; path?: string }
  | { type: 'retry'; step: number; waitMs: number; reason: string }
  | ToolFrame
  | {
      type: 'file'
      path: string
      op: 'write' | 'edit' | 'delete'
      bytes: number
      added: number
      removed: number
    }
  | {
      type: 'check'
      n: number
      phase: string
      ok: boolean
      ms: number
      errorCount: number
      errors: CheckError[]
    }
  | { type: 'question'; questions: Question[] }
  | { type: 'steer'; id: string; text: string; delivery: 'delivered' | 'next_build' }
  | ({ type: 'usage' } & Usage)
  | { type: 'preview'; url?: string; error?: string }
  | { type: 'resuming' }
  | SnapshotFrame
  | DoneFrame
  | { type: 'error'; kind: string; message: string; retryable: boolean }

export interface ToolFrame {
  type: 'tool'
  id: string
  name: string
  args: unknown
  ok: boolean
  result: string
  error?: string
  ms: number
}
/** Replaces all events up to `seq` when they are no longer stored. */
export interface SnapshotFrame {
  type: 'snapshot'
  run: string
  seq: number
  text: string
  files: FileChange[]
  checks: { name: string; ok: boolean; ms: number; errors: CheckError[] }[]
  usage: Usage
}
export interface DoneFrame {
  type: 'done'
  status: 'built' | 'awaiting' | 'replied' | 'cancelled'
  run: string
  sha?: string
  summary?: string
  message?: string
  questions?: Question[]
  changed?: FileChange[]
  generatedBy?: string
  previewUrl?: string | null
}

/** A frame with its position in the run; `resuming` has none. */
export type SequencedFrame = BuildFrame & { seq?: number }
