import { SlipwayError, UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { isRecord } from '@slipway/sdk/is-record.ts'
import { readRetryAfter } from '@slipway/sdk/request.ts'
import { whileSignedIn } from './signed-in.ts'

/** Reads from the sign-in library. When the session has ended, the user is asked to sign in, and the request is repeated. */
export const authGet = <T>(path: string): Promise<T> => whileSignedIn(true, () => authSend<T>('GET', path))

/** Sends a change to the sign-in library. When the session has ended, the user is asked to sign in, and the request is repeated. */
export const authPost = <T = unknown>(path: string, body: object = {}): Promise<T> =>
  whileSignedIn(false, () => authSend<T>('POST', path, body))

/**
 * Sends a request to the sign-in library. Without a session it rejects and does not open the sign-in dialog, because that dialog itself
 * calls this function. The library returns errors as `{ message, code }`, without the envelope of the API.
 */
export async function authSend<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  let response: Response
  let text: string
  try {
    response = await fetch(`/api/auth${path}`, {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      credentials: 'same-origin',
    })
    text = await response.text()
  } catch (cause) {
    throw new SlipwayError('The service did not respond.', { code: 'connection', status: 0, cause })
  }
  let data: unknown
  try {
    data = JSON.parse(text || 'null')
    if (response.ok) return data as T
  } catch {
    // The body is not JSON, for example because it is the sign-in page of a Wi-Fi network. Returning null would mean that there is no
    // session.
  }
  throw refusalOf(response, data, { method, path: `/api/auth${path.split('?')[0]}` })
}

function refusalOf(
  response: Response,
  body: unknown,
  request: { method: string; path: string },
): SlipwayError {
  const details = {
    ...request,
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: readRetryAfter(response),
  }
  // The service's own errors are in an envelope. The errors of the sign-in library are not.
  const { code, message } = !isRecord(body) ? {} : isRecord(body['error']) ? body['error'] : body
  if (typeof code !== 'string' || code === '')
    return new UnexpectedResponseError(`The service returned status ${response.status}.`, details)
  return new SlipwayError(typeof message === 'string' ? message : code, {
    ...details,
    code: code.toLowerCase(),
  })
}
