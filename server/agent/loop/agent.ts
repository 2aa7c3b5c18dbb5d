import type { LanguageModel, ModelMessage } from 'ai'
import type { CheckReport } from '../check-report.ts'
import type { BuildFrame, Failure, Question } from '../frames.ts'
import type { ModelRequest } from '../model/call.ts'
import type { ModelSettings } from '../model/models.ts'
import type { CallUsage } from '../model/usage.ts'
import type { RunCheck } from '../tools/finish.ts'
import type { AgentTool } from '../tools/tool.ts'
import type { CompactionStore } from './compaction.ts'
import type { FileRef, LoadFile } from './files.ts'
import type { RunLimits } from './run-limits.ts'
import type { ModelStep } from './transcript.ts'
import type { FileChange, Workspace } from '../tools/workspace.ts'

/** The messages that users sent to a running build (steer messages) and that no model call has read yet, oldest first. */
interface SteerMessages {
  unread(): Promise<{ id: string; text: string; files?: FileRef[] }[]>
}

/** Stores a run. Each call is one transaction, which rejects when another process has taken the run over. */
export interface Recorder {
  frames(frames: BuildFrame[]): Promise<void>
  /** Stores a finished model call, which is then never repeated, and marks the user messages with the ids `read` as read. */
  step(step: ModelStep, frames: BuildFrame[], read: string[]): Promise<void>
  /** Adds the tokens of a failed model call to the run, because the provider charges them. */
  failedCall(usage: CallUsage): Promise<void>
  /** Records that the call at `index` of the step is about to run. The call must not run again after a crash. */
  begin(step: ModelStep, index: number): Promise<void>
  /** Stores the results of tool calls. `changes` are the files that the calls have changed. */
  tools(
    step: ModelStep,
    done: { changes: FileChange[]; report: CheckReport | null },
    frames: BuildFrame[],
  ): Promise<void>
}

/** Everything a run needs. The caller passes it, because the loop does not depend on the database, HTTP or tickets. */
export interface Agent {
  key: string
  model: LanguageModel
  settings: ModelSettings
  instructions: string
  opening: ModelMessage[]
  tools: AgentTool[]
  workspace: Workspace
  runCheck: RunCheck
  steps: ModelStep[]
  /** When true, the screenshots of a check are sent in the model call after it. */
  readsImages?: boolean
  /** Loads the files of messages. Without it, messages contain no files. */
  loadFile?: LoadFile | undefined
  /** Shortens a conversation that outgrows the model's window. Without it, such a run fails. */
  compactions?: CompactionStore | undefined
  steering: SteerMessages
  /** Tokens that earlier attempts of the run have spent; they count towards the run's limit. */
  spent: CallUsage
  limits: RunLimits
  /**
   * Called before every attempt of a model call. Returns the failure that ends the run when the organization has no allowance
   * left; else null.
   */
  mayCall?: () => Promise<Failure | null>
  /** Milliseconds since the run began, by a monotonic clock. */
  elapsedMs: () => number
  signal: AbortSignal
  record: Recorder
  /** Waits between attempts of a model call, in milliseconds. Only tests set them. */
  waitsMs?: readonly number[] | undefined
  timeouts?: ModelRequest['timeouts']
}

export type AgentOutcome =
  | { kind: 'finished'; summary: string }
  | { kind: 'asked'; questions: Question[] }
  | { kind: 'replied'; message: string }
  | { kind: 'failed'; failure: Failure }
