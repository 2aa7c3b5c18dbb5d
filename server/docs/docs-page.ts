import { readFileSync } from 'node:fs'
import { VERSION } from '../version.ts'

/**
 * The script of Scalar, the viewer of the API reference. It is served from the service's own host, so that the page loads
 * nothing from another host.
 */
const SCALAR_SCRIPT = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'))

const PAGE_CSP = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const PAGE_HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API · Slipway</title>
<link rel="icon" href="data:,">
</head>
<body>
<div id="reference"></div>
<script src="/docs/scalar.js?v=${VERSION}"></script>
<script src="/docs/start.js?v=${VERSION}"></script>
</body>
</html>
`

/** The script is a separate file, because the page's content security policy refuses inline scripts. */
const START_SCRIPT = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
})
`

const SECURITY_HEADERS = { 'x-content-type-options': 'nosniff', 'referrer-policy': 'same-origin' }

/** Returns the API reference page at /docs or one of its files, or null for any other address. */
export function docsPage(request: Request): Response | null {
  switch (new URL(request.url).pathname) {
    case '/docs':
    case '/docs/':
      return new Response(PAGE_HTML, {
        headers: {
          ...SECURITY_HEADERS,
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': PAGE_CSP,
        },
      })
    case '/docs/start.js':
      return scriptResponse(START_SCRIPT)
    case '/docs/scalar.js':
      return scriptResponse(readFileSync(SCALAR_SCRIPT))
    default:
      return null
  }
}

function scriptResponse(body: string | Buffer): Response {
  return new Response(typeof body === 'string' ? body : new Uint8Array(body), {
    headers: {
      ...SECURITY_HEADERS,
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=86400',
    },
  })
}
