import { createTransport } from '@slipway/sdk/request.ts'

/**
 * How every call of the console is sent: same origin, with the session's cookie. Shipping answers after at
 * most 60 s, so the time-out lies above that; a longer `Retry-After` becomes a message with a countdown.
 */
export const transport = createTransport({ timeoutMs: 75_000, maxRetries: 2, maxWaitMs: 4_000 })

/** Sends one call and answers its `data`. */
export async function request<T>(method: string, path: string, options: RequestInput = {}): Promise<T> {
  const query = new URLSearchParams(Object.entries(options.query ?? {}).filter(([, value]) => value !== ''))
  const address = new URL(`/api/v1${path}${query.size > 0 ? `?${query.toString()}` : ''}`, location.origin)
  const hasBody = options.body !== undefined
  const response = await transport(
    new Request(address, {
      method,
      headers: { ...(hasBody && { 'Content-Type': 'application/json' }), ...options.headers },
      ...(hasBody && { body: JSON.stringify(options.body) }),
      ...(options.signal && { signal: options.signal }),
    }),
  )
  return ((await response.json()) as { data: T }).data
}

interface RequestInput {
  query?: Record<string, string>
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}
