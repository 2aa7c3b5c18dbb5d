import { type ToolErrorCode, type ToolOutcome, toolFailure } from '../agent/tools/tool.ts'
import { ApiError, type ErrorCode } from '../http/errors.ts'

const TOOL_ERROR_CODES: Partial<Record<ErrorCode, ToolErrorCode>> = {
  invalid_request: 'invalid_arguments',
  not_found: 'not_found',
  conflict: 'not_allowed',
}

/**
 * Returns an API error with one of these codes as the tool's result, so that the model can act on the error. Any other error ends the turn.
 */
export async function refusalsAsOutcome(work: () => Promise<ToolOutcome>): Promise<ToolOutcome> {
  try {
    return await work()
  } catch (error) {
    const code = error instanceof ApiError ? TOOL_ERROR_CODES[error.code] : undefined
    if (code === undefined || !(error instanceof ApiError)) throw error
    return toolFailure(code, error.message)
  }
}
