import { getMe } from '@slipway/sdk/client/sdk.gen.ts'
import { SlipwayError, UnexpectedResponseError } from '@slipway/sdk/errors.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'
import { queryClient } from './queries.ts'

/** Who is signed in. */
export const meQuery = () =>
  queryOptions({
    queryKey: ['me'],
    queryFn: ({ signal }) => call(getMe({ signal })),
    staleTime: 60_000,
  })

export const signUp = (input: { name: string; email: string; password: string }) =>
  enter('/api/auth/sign-up/email', input)

export const signIn = (input: { email: string; password: string }) => enter('/api/auth/sign-in/email', input)

/** Ends the session; nothing of it stays in the cache. */
export async function signOut(): Promise<void> {
  await post('/api/auth/sign-out', {})
  queryClient.clear()
}

async function enter(path: string, input: object): Promise<void> {
  await post(path, input)
  queryClient.clear()
}

/** The sign-in library speaks its own dialect: `{ message, code }` without our envelope. */
async function post(path: string, body: object): Promise<void> {
  let response: Response
  try {
    const headers = { 'Content-Type': 'application/json' }
    response = await fetch(path, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      credentials: 'same-origin',
    })
  } catch (cause) {
    throw new SlipwayError('The service did not answer.', { code: 'connection', status: 0, cause })
  }
  if (response.ok) return
  throw await readRefusal(response, path)
}

async function readRefusal(response: Response, path: string): Promise<SlipwayError> {
  const retryAfter = Number(response.headers.get('Retry-After') ?? Number.NaN)
  const details = {
    status: response.status,
    requestId: response.headers.get('X-Request-Id'),
    retryAfterMs: Number.isFinite(retryAfter) ? retryAfter * 1000 : null,
    method: 'POST',
    path,
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
