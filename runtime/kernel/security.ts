import { consoleOrigin, tier } from './env.ts'

const POLICY = [
  "default-src 'self'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
]

/** A response with the headers every answer of the app carries. */
export function secure(response: Response): Response {
  // An upgrade's response is handed on untouched: rebuilding it would lose the socket.
  if (response.status === 101) return response
  const answer = isOpen(response) ? response : new Response(response.body, response)
  const frame = tier() === 'preview' ? (consoleOrigin() ?? "'self'") : "'self'"
  const { headers } = answer
  headers.set('x-content-type-options', 'nosniff')
  headers.set('referrer-policy', 'same-origin')
  if (tier() === 'preview') headers.set('x-robots-tag', 'noindex')
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  if (isHtml && !headers.has('content-security-policy')) {
    headers.set('content-security-policy', [...POLICY, `frame-ancestors ${frame}`].join('; '))
  }
  return answer
}

/** Whether headers can be added: those of an answer that came from elsewhere cannot, and a copy costs its stream. */
function isOpen(response: Response): boolean {
  try {
    response.headers.delete('x-slipway-none')
    return true
  } catch {
    return false
  }
}
