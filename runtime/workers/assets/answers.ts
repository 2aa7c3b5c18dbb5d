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

/** Bytes that cannot act as a page, whatever they are. */
export const bytes = (body: ReadableStream, about: { sizeBytes: number; contentType: string }): Response =>
  new Response(body, {
    headers: {
      ...OPEN,
      'content-type': about.contentType,
      'content-length': String(about.sizeBytes),
      'content-disposition': 'attachment',
      'content-security-policy': "sandbox; default-src 'none'",
    },
  })

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
