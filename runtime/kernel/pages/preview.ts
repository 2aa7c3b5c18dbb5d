import { consoleOrigin } from '../worker/env.ts'

const SCRIPT_TAG = '<script src="/_app/preview.js"></script>'

/**
 * Adds the error reporter before everything else in the page, so that the reporter catches the first error. A document type stays in front:
 * without a document type at its beginning, browsers lay out a page in another way.
 */
export async function withReporter(response: Response): Promise<Response> {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return response
  // A response such as 304 must not have a body.
  if (response.body === null) return response
  const html = await response.text()
  const headers = new Headers(response.headers)
  headers.delete('content-length')
  headers.delete('etag')
  const insertionPoint = html.includes('<head>') ? '<head>' : /^(?:\s*<!doctype[^>]*>)?/i
  return new Response(
    html.replace(insertionPoint, (start) => start + SCRIPT_TAG),
    { status: response.status, headers },
  )
}

/**
 * Returns the script that passes the page's errors to Slipway's console, which shows the page in a frame. The script uses `postMessage` and
 * sends no requests.
 */
export function previewScript(): Response {
  const origin = consoleOrigin()
  const body = origin === null ? '' : `(${reportToConsole.toString()})(${JSON.stringify(origin)})`
  return new Response(body, {
    headers: { 'content-type': 'text/javascript; charset=utf-8', 'cache-control': 'no-store' },
  })
}

// Sent to the browser as source text, so it must not use anything defined outside itself.
function reportToConsole(origin: string): void {
  if (window.parent === window) return
  const perSecondMax = 10
  const seen = new Set<string>()
  let second = 0
  let count = 0
  const postToConsole = (kind: string, detail: object) =>
    window.parent.postMessage({ source: 'slipway-preview', kind, ...detail }, origin)
  const reportError = (message: string, stack?: unknown) => {
    const key = message.slice(0, 500)
    const now = Math.floor(Date.now() / 1000)
    if (now !== second) [second, count] = [now, 0]
    if (seen.has(key)) return
    count += 1
    if (count > perSecondMax) return
    seen.add(key)
    const shown = typeof stack === 'string' ? stack.slice(0, 4000) : undefined
    postToConsole('error', { message: key, stack: shown, path: location.pathname })
  }
  const textOf = (value: unknown) => {
    try {
      return value instanceof Error ? `${value.name}: ${value.message}` : String(value)
    } catch {
      // `String` throws for a value that cannot be converted, such as an object without a prototype.
      return '[object]'
    }
  }

  window.addEventListener('error', (event) =>
    reportError(event.message || textOf(event.error), event.error?.stack),
  )
  window.addEventListener('unhandledrejection', (event) =>
    reportError(textOf(event.reason), event.reason?.stack),
  )
  // eslint-disable no-console -- what the page logs as an error is part of the report
  const log = console.error.bind(console)
  console.error = (...values: unknown[]) => {
    log(...values)
    const error = values.find((value) => value instanceof Error)
    reportError(values.map(textOf).join(' '), error?.stack)
  }
  // eslint-enable no-console
  const methodOf = (input: unknown, init: RequestInit | undefined) =>
    init?.method ?? (input instanceof Request ? input.method : 'GET')
  const send = window.fetch.bind(window)
  window.fetch = async (input, init) => {
    const response = await send(input, init)
    if (response.status >= 500)
      reportError(`${methodOf(input, init)} ${new URL(response.url).pathname}: ${response.status}`)
    return response
  }
  const navigated = () => postToConsole('navigate', { path: location.pathname + location.search })
  for (const name of ['pushState', 'replaceState'] as const) {
    const original = history[name].bind(history)
    history[name] = (...values: Parameters<History['pushState']>) => {
      original(...values)
      navigated()
    }
  }
  window.addEventListener('popstate', navigated)
  window.addEventListener('DOMContentLoaded', () => postToConsole('ready', { path: location.pathname }))
  try {
    void window.localStorage.length
  } catch {
    postToConsole('storage', { path: location.pathname })
  }
}
