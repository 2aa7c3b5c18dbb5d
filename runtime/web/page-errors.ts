/** A page in a loop reports only the first errors. */
const REPORTS_MAX = 10

/** Sends uncaught errors of this page to the app, for the list of live errors. Equal ones are sent once. */
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
    // `keepalive`, because an error may come while the page is left. A failed report must not become an error itself.
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
