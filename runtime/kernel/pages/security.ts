import { env } from 'cloudflare:workers'
import { consoleOrigin, isEnabled, tier } from '../worker/env.ts'

const TURNSTILE_ORIGIN = 'https://challenges.cloudflare.com'

/**
 * The hosts that videos are uploaded to and played from. For the local emulator of Cloudflare, `VIDEO_HOSTS`
 * contains its http origin.
 */
const videoHosts = (): string => {
  const given = env['VIDEO_HOSTS']
  return typeof given === 'string' ? given : 'https://*.cloudflarestream.com https://*.videodelivery.net'
}

const CONTENT_POLICY = [
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob: https:",
  "font-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
]

/** Adds the security headers that every response of the app has. */
export function withSecurityHeaders(response: Response): Response {
  // Return the response of a WebSocket upgrade unchanged: a copy would lose the socket.
  if (response.status === 101) return response
  const answer = withMutableHeaders(response)
  const { headers } = answer
  headers.set('referrer-policy', 'same-origin')
  if (tier() === 'preview') headers.set('x-robots-tag', 'noindex')
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  if (isHtml && !headers.has('content-security-policy')) {
    const frame = tier() === 'preview' ? (consoleOrigin() ?? "'self'") : "'self'"
    const widget = isEnabled('guard') ? ` ${TURNSTILE_ORIGIN}` : ''
    const videos = isEnabled('video') ? ` ${videoHosts()}` : ''
    const sources = [
      `script-src 'self'${widget}`,
      ...(widget + videos === '' ? [] : [`frame-src 'self'${widget}${videos}`]),
      `connect-src 'self'${videos}`,
    ]
    const policy = ["default-src 'self'", ...sources, ...CONTENT_POLICY, `frame-ancestors ${frame}`]
    headers.set('content-security-policy', policy.join('; '))
  }
  return answer
}

/** Returns a response whose headers can be changed. Copies a response from `fetch`, whose headers cannot be changed. */
function withMutableHeaders(response: Response): Response {
  const [name, value] = ['x-content-type-options', 'nosniff'] as const
  try {
    response.headers.set(name, value)
    return response
  } catch {
    const copy = new Response(response.body, response)
    copy.headers.set(name, value)
    return copy
  }
}
