import { SlipwayError } from '@slipway/sdk/errors.ts'

/**
 * Returns the error with its message replaced by the sentence for its code. An error whose code has no sentence, and any value that is no
 * API error, is returned unchanged.
 */
export function rewordError(error: unknown, sentences: Record<string, string>): unknown {
  const sentence = error instanceof SlipwayError ? sentences[error.code] : undefined
  if (!(error instanceof SlipwayError) || sentence === undefined) return error
  const { code, status, requestId, retryAfterMs, method, path } = error
  return new SlipwayError(sentence, { code, status, requestId, retryAfterMs, method, path, cause: error })
}
