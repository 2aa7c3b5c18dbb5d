import type * as z from 'zod'
import type { CheckReport } from '../check/report.ts'
import type { ToolEnd } from '../loop/transcript.ts'
import type { FileChange } from '../loop/workspace.ts'

/** Codes an error result begins with; the text after the code explains it to the model. */
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

/**
 * What a call of a tool gives back to the loop. A refused call is an outcome with `ok: false`, so that the
 * model can correct it; a tool throws only for faults of the service.
 */
export interface ToolOutcome {
  ok: boolean
  /** Plain text for the model. */
  text: string
  code?: ToolErrorCode
  change?: FileChange
  report?: CheckReport
  end?: ToolEnd
}

/** The context of a call. External effects use `key`, so that a repeated call acts once. */
export interface ToolRun {
  key: string
  signal: AbortSignal
}

/** A tool of the loop. */
export interface AgentTool {
  name: string
  description: string
  input: z.ZodType
  timeoutMs: number
  /** Works in memory within a millisecond, so that consecutive calls are stored together. */
  isQuick: boolean
  /**
   * Whether a call runs again after its process died during it: its own work is linear in its input, tenant text is
   * read by a child, and external effects happen once per key. Any other call gets a failed result then.
   */
  isRepeatable: boolean
  run(args: unknown, run: ToolRun): Promise<ToolOutcome>
}

const TIMEOUT_MS = 10_000

/** Declares a tool; its arguments are validated by the SDK before `run` sees them. */
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

/** The outcome of a call that succeeded; the model reads `text`. */
export const done = (text: string): ToolOutcome => ({ ok: true, text })

/**
 * The outcome of a call that the model can correct. It reads the code and the message, which therefore says
 * what to do instead.
 */
export const failed = (code: ToolErrorCode, message: string): ToolOutcome => ({
  ok: false,
  code,
  text: `${code}: ${message}`,
})
