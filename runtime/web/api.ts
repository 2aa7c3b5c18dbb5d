import { missingTokenAction, TOKEN_HEADER } from '../guard/action.ts'
import { guard } from '../guard/client.ts'
import { ApiError, fromFailure } from '../kernel/errors.ts'

interface ResponseEnvelope<T> {
  data: T
  preview?: { mail?: { subject: string; text: string }[] }
}

/** Returns the data of a response. Throws a failure as `ApiError`. */
export async function callRoute<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await callEnvelope<T>(method, path, body)).data
}

/**
 * The actions of the bot check (Turnstile), by the method and path of requests that were rejected because they
 * had no token. The next request with the same method and path sends a token at once.
 */
const guardActions = new Map<string, string>()

/** Like `callRoute`, but also returns what the preview of an app adds to a response: the mails that it sent. */
export async function callEnvelope<T>(
  method: string,
  path: string,
  body?: unknown,
): Promise<ResponseEnvelope<T>> {
  return await readEnvelope<T>(await fetchResponse(method, path, body))
}

/** Returns the response with its body not yet read. Throws a failure as `ApiError`. */
export async function fetchResponse(method: string, path: string, body?: unknown): Promise<Response> {
  const call = { method, path, body }
  const address = `${method} ${path}`
  const known = guardActions.get(address)
  if (known !== undefined) return await callWithToken(known, call)
  try {
    return await callOnce(call, {})
  } catch (error) {
    const action = error instanceof ApiError ? missingTokenAction(error.field) : null
    if (action === null) throw error
    guardActions.set(address, action)
    return await callWithToken(action, call)
  }
}

interface ApiCall {
  method: string
  path: string
  body: unknown
}

async function callWithToken(action: string, call: ApiCall): Promise<Response> {
  return await callOnce(call, { [TOKEN_HEADER]: await guard.token(action) })
}

async function callOnce({ method, path, body }: ApiCall, headers: Record<string, string>): Promise<Response> {
  let response: Response
  try {
    response = await fetch(path, {
      method,
      ...(body === undefined
        ? { headers }
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json', ...headers } }),
    })
  } catch (cause) {
    throw new ApiError('unavailable', 'The app could not be reached. Check the connection and try again.', {
      cause,
    })
  }
  if (!response.ok) await readEnvelope(response)
  return response
}

/** Parses the body of a response. A JSON body without an envelope is returned as `data`. Throws a failure as `ApiError`. */
export async function readEnvelope<T>(response: Response): Promise<ResponseEnvelope<T>> {
  const answer: unknown = await response.json().catch(() => null)
  if (isEnvelope(answer)) {
    if (answer.ok) return answer as ResponseEnvelope<T>
    throw fromFailure(answer.error ?? {})
  }
  if (!response.ok) throw new ApiError('server_error', `The app returned ${response.status}.`)
  return { data: answer as T }
}

function isEnvelope(value: unknown): value is { ok: boolean; data?: unknown; error?: object } {
  return typeof value === 'object' && value !== null && 'ok' in value && ('data' in value || 'error' in value)
}

/** Calls the app's own routes by their full path: `api.patch('/api/tasks/1', { done: true })`. */
export const api = {
  get: <T = unknown>(path: string) => callRoute<T>('GET', path),
  post: <T = unknown>(path: string, body?: unknown) => callRoute<T>('POST', path, body ?? {}),
  put: <T = unknown>(path: string, body?: unknown) => callRoute<T>('PUT', path, body ?? {}),
  patch: <T = unknown>(path: string, body?: unknown) => callRoute<T>('PATCH', path, body ?? {}),
  delete: <T = unknown>(path: string) => callRoute<T>('DELETE', path),
}
