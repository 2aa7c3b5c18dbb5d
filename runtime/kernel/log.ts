import { env } from 'cloudflare:workers'

/** Writes the one JSON line from which the live app's errors are read. */
export function logError(error: unknown, context: { route: string }): void {
  const { message, stack } = error instanceof Error ? error : { message: String(error), stack: undefined }
  const release = typeof env['RELEASE'] === 'string' ? env['RELEASE'] : null
  // eslint-disable-next-line no-console -- the log is the one way out of a worker
  console.error(JSON.stringify({ kind: 'error', message, stack, route: context.route, release }))
}
