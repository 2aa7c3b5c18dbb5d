import { errorText } from '../kernel/errors.ts'

/** Limits the reports of a page that throws errors in a loop. */
const REPORTS_MAX = 10

/** Sends uncaught errors of this page to the app, which logs them. Equal errors are sent once. */
export function reportPageErrors(): void {
  const seen = new Set<string>()
  const reportError = (thrown: unknown, fallback: string) => {
    const [message, stack] =
      thrown instanceof Error ? [`${thrown.name}: ${thrown.message}`, thrown.stack ?? ''] : [fallback, '']
    if (seen.has(message) || seen.size >= REPORTS_MAX) return
    seen.add(message)
    const body = JSON.stringify({
      message: message.slice(0, 1000),
      stack: stack.slice(0, 4000),
      path: location.pathname,
    })
    // `keepalive` sends the report even if the page is being left. Ignore a failure, which would be reported as another error.
    void fetch('/_app/error', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: true,
    }).catch(() => {})
  }
  window.addEventListener('error', ({ error, message }) => reportError(error, message))
  window.addEventListener('unhandledrejection', ({ reason }) =>
    reportError(reason, errorText(reason) || 'A promise was rejected without a reason.'),
  )
}
