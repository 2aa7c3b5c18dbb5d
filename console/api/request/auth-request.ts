import { SlipwayError, UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { whileSignedIn } from './signed-in.ts'

export const authGet = <T>(path: string): Promise<T> => whileSignedIn(true, () => authSend<T>('GET', path))

export const authPost = <T = unknown>(path: string, body: object = {}): Promise<T> =>
  whileSignedIn(false, () => authSend<T>('POST', path, body))

/**
 * Sends a request without opening the sign-in dialog when there is no session, because that dialog uses this function. The sign-in library
 * returns errors as `{ message, code }`, without our envelope.
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
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const details = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    method,
    path: `/api/auth${path.split('?')[0]}`,
  }
  const body = (await response.json().catch(() => null)) as Refusal | null
  const code = body?.error?.code ?? body?.code
  if (!code) return new UnexpectedResponseError(`Answered ${response.status}.`, details)
  return new SlipwayError(body?.error?.message ?? body?.message ?? code, {
    ...details,
    code: code.toLowerCase(),
  })
}

interface Refusal {
  code?: string
  message?: string
  error?: { code: string; message: string }
}
