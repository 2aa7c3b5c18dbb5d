import { SlipwayError } from '@slipway/sdk/errors.ts'
import { authText } from '../text/auth.en.ts'
import { authGet, authPost } from './auth-request.ts'

/** `authPost` whose refusals say what happened in the console's words. */
export const sendAuth: typeof authPost = (path, body) => authPost<never>(path, body).catch(throwInWords)

/** `authGet` whose refusals say what happened in the console's words. */
export const readAuth: typeof authGet = (path) => authGet<never>(path).catch(throwInWords)

/** Not part of the first view, where every sentence is loaded before anything shows. */
function throwInWords(error: unknown): never {
  const words: Record<string, string> = authText.codes
  const sentence = error instanceof SlipwayError ? words[error.code] : undefined
  if (!(error instanceof SlipwayError) || sentence === undefined) throw error
  const { code, status, requestId, retryAfterMs, method, path } = error
  throw new SlipwayError(sentence, { code, status, requestId, retryAfterMs, method, path, cause: error })
}
