import { SlipwayError, UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { isRecord } from '@slipway/sdk/is-record.ts'
import { readRetryAfter } from '@slipway/sdk/request.ts'
import { whileSignedIn } from './signed-in.ts'

export const authGet = <T>(path: string): Promise<T> => whileSignedIn(true, () => authSend<T>('GET', path))

export const authPost = <T = unknown>(path: string, body: object = {}): Promise<T> =>
  whileSignedIn(false, () => authSend<T>('POST', path, body))

/**
 * Sends a request to the sign-in library. Without a session it rejects and does not open the sign-in dialog, because that dialog itself
 * calls this function. The library returns errors as `{ message, code }`, without the envelope of the API.
 */
export async function authSend<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
  let response: Response
  try {
    response = await fetch(`/api/auth${path}`, {
      method,
      ...(body && { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
      credentials: 'same-origin',
    })
  } catch (cause) {
    throw new SlipwayError('The service did not answer.', { code: 'connection', status: 0, cause })
  }
  if (response.ok) return (await response.json().catch(() => null)) as T
  throw await readRefusal(response, method, path)
}

async function readRefusal(response: Response, method: string, path: string): Promise<SlipwayError> {
  const details = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: readRetryAfter(response),
    method,
    path: `/api/auth${path.split('?')[0]}`,
  }
  const body: unknown = await response.json().catch(() => null)
  // The service's own errors are in an envelope, those of the sign-in library are not.
  const { code, message } = !isRecord(body) ? {} : isRecord(body['error']) ? body['error'] : body
  if (typeof code !== 'string' || code === '')
    return new UnexpectedResponseError(`Answered ${response.status}.`, details)
  return new SlipwayError(typeof message === 'string' ? message : code, {
    ...details,
    code: code.toLowerCase(),
  })
}
