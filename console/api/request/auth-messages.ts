import { authText } from '../../text/auth.en.ts'
import { authGet, authPost } from './auth-request.ts'
import { reword } from './reword.ts'

/** `authPost`, but a thrown error has the console's own message for its code. */
export const sendAuth: typeof authPost = (path, body) => authPost<never>(path, body).catch(throwReworded)

/** `authGet`, but a thrown error has the console's own message for its code. */
export const readAuth: typeof authGet = (path) => authGet<never>(path).catch(throwReworded)

function throwReworded(error: unknown): never {
  throw reword(error, authText.codes)
}
