import type * as z from 'zod'
import type { CheckReport } from '../check-report.ts'
import type { Question } from '../frames.ts'
import type { FileChange } from './workspace.ts'

export type ToolErrorCode =
  | 'not_found'
  | 'invalid_path'
  | 'locked'
  | 'too_large'
  | 'too_complex'
  | 'too_many_calls'
  | 'not_text'
  | 'not_read'
  | 'no_match'
  | 'many_matches'
  | 'unchanged'
  | 'invalid_arguments'
  | 'unknown_tool'
  | 'check_failed'
  | 'not_allowed'
  | 'too_late'
  | 'timeout'
  | 'interrupted'

/** How a tool call ends the build's work: it is finished, or it waits for answers. */
export type ToolEnd = { kind: 'finish'; summary: string } | { kind: 'ask'; questions: Question[] }

/**
 * The result of a tool call for the loop. A refused call is an outcome with `ok: false`, so that the model can correct it. A tool
 * throws only for faults of the service.
 */
export interface ToolOutcome {
  ok: boolean
  /** The text that the model reads. */
  text: string
  code?: ToolErrorCode
  change?: FileChange
  report?: CheckReport
  end?: ToolEnd
}

/** The context of a call. A tool passes `key` on with external requests, so that a repeated call has its effect once. */
export interface ToolRun {
  key: string
  signal: AbortSignal
}

export interface AgentTool {
  name: string
  description: string
  input: z.ZodType
  timeoutMs: number
  /** True for a tool that works in memory within a millisecond: the results of its consecutive calls are stored together. */
  isQuick: boolean
  /**
   * Whether a call runs again when the process died during the call. True only if the call cannot have killed the process (the work is
   * linear in the input, and a child process reads the text of tenants) and a repeated call with the same key has its external effects
   * once. Otherwise the call gets a failed result.
   */
  isRepeatable: boolean
  run(args: unknown, run: ToolRun): Promise<ToolOutcome>
}

const TIMEOUT_MS = 10_000

/** Declares a tool. The SDK validates the arguments before `run` gets them. */
export function agentTool<Args>(declared: {
  name: string
  description: string
  input: z.ZodType<Args>
  timeoutMs?: number
  isQuick?: boolean
  isRepeatable?: boolean
  run(args: Args, run: ToolRun): ToolOutcome | Promise<ToolOutcome>
}): AgentTool {
  return {
    name: declared.name,
    description: declared.description,
    input: declared.input,
    timeoutMs: declared.timeoutMs ?? TIMEOUT_MS,
    isQuick: declared.isQuick ?? false,
    isRepeatable: declared.isRepeatable ?? false,
    run: async (args, run) => declared.run(args as Args, run),
  }
}

export const toolSuccess = (text: string): ToolOutcome => ({ ok: true, text })

/** Returns the outcome of a call that the model can correct. The model reads code and message, so the message says what to do instead. */
export const toolFailure = (code: ToolErrorCode, message: string): ToolOutcome => ({
  ok: false,
  code,
  text: `${code}: ${message}`,
})
