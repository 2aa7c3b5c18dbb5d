import { authText } from '../../text/auth.en.ts'
import { authGet, authPost } from './auth-request.ts'
import { reword } from './reword.ts'

/** `authPost`, but the thrown error has the console's own sentence. */
export const sendAuth: typeof authPost = (path, body) => authPost<never>(path, body).catch(throwReworded)

/** `authGet`, but the thrown error has the console's own sentence. */
export const readAuth: typeof authGet = (path) => authGet<never>(path).catch(throwReworded)

/** Import the sentences only for an error, so that the first view does not load them. */
function throwReworded(error: unknown): never {
  throw reword(error, authText.codes)
}
