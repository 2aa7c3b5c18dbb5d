/** A page in a loop reports the first errors only. */
const REPORTS_MAX = 10

/** Sends uncaught errors of this page to the app, for the list of its live errors; equal ones once. */
export function reportPageErrors(): void {
  const seen = new Set<string>()
  const report = (thrown: unknown, fallback: string) => {
    const [message, stack] =
      thrown instanceof Error ? [`${thrown.name}: ${thrown.message}`, thrown.stack ?? ''] : [fallback, '']
    if (seen.has(message) || seen.size >= REPORTS_MAX) return
    seen.add(message)
    const body = JSON.stringify({
      message: message.slice(0, 1000),
      stack: stack.slice(0, 4000),
      path: location.pathname,
    })
    // Kept alive, because an error may come from leaving the page. A report that fails must not become an error itself.
    void fetch('/_app/error', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      keepalive: true,
    }).catch(() => {})
  }
  window.addEventListener('error', ({ error, message }) => report(error, message))
  window.addEventListener('unhandledrejection', ({ reason }) => report(reason, String(reason)))
}
