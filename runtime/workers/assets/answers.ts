/**
 * CORS headers: pages of any origin may send requests, because a request is authorized only by its token and never by a cookie. Every
 * response has these headers, so that a page can also read errors.
 */
const PUBLIC_HEADERS = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export const successResponse = (data: unknown): Response =>
  Response.json({ ok: true, data }, { headers: PUBLIC_HEADERS })

export const refusalResponse = (status: number, code: string, message: string): Response =>
  Response.json({ ok: false, error: { code, message } }, { status, headers: PUBLIC_HEADERS })

/** Makes a response readable for pages of any origin, and prevents caching. */
export function open(answer: Response): Response {
  for (const [name, value] of Object.entries(PUBLIC_HEADERS)) answer.headers.set(name, value)
  return answer
}

/** The response to a CORS preflight before an upload. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...PUBLIC_HEADERS,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '86400',
    },
  })
