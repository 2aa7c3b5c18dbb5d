/**
 * Pages of any origin may call: no cookie means anything here, a token is all there is. A page must be able to read
 * refusals too, so every answer carries these.
 */
const OPEN = {
  'access-control-allow-origin': '*',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
}

export const done = (data: unknown): Response => Response.json({ ok: true, data }, { headers: OPEN })

export const refused = (status: number, code: string, message: string): Response =>
  Response.json({ ok: false, error: { code, message } }, { status, headers: OPEN })

/** The same answer, for pages of any origin and for nobody's cache. */
export function open(answer: Response): Response {
  for (const [name, value] of Object.entries(OPEN)) answer.headers.set(name, value)
  return answer
}

/** What a browser asks before it sends an upload. */
export const preflight = (): Response =>
  new Response(null, {
    status: 204,
    headers: {
      ...OPEN,
      'access-control-allow-methods': 'GET, PUT',
      'access-control-allow-headers': 'authorization, content-type',
      'access-control-max-age': '86400',
    },
  })
