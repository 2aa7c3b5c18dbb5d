import { authText } from '../../text/auth.en.ts'
import { authGet, authPost } from './auth-request.ts'
import { reword } from './reword.ts'

/** `authPost` whose refusals say what happened in the console's words. */
export const sendAuth: typeof authPost = (path, body) => authPost<never>(path, body).catch(throwInWords)

/** `authGet` whose refusals say what happened in the console's words. */
export const readAuth: typeof authGet = (path) => authGet<never>(path).catch(throwInWords)

/** Not part of the first view, where every sentence is loaded before anything shows. */
function throwInWords(error: unknown): never {
  throw reword(error, authText.codes)
}
