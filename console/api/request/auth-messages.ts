import { authText } from '../../text/auth.en.ts'
import { authGet, authPost } from './auth-request.ts'
import { rewordError } from './reword-error.ts'

/** `authPost`, but a thrown error has the console's own message for its code. */
export const sendAuth: typeof authPost = (path, body) => authPost<never>(path, body).catch(throwReworded)

/** `authGet`, but a thrown error has the console's own message for its code. */
export const readAuth: typeof authGet = (path) => authGet<never>(path).catch(throwReworded)

function throwReworded(error: unknown): never {
  throw rewordError(error, authText.codes)
}
