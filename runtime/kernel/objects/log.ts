import { env } from 'cloudflare:workers'
import { errorText } from '../errors.ts'
import type { Tier } from './objects.ts'

/**
 * Writes an error as a line of JSON. Slipway reads the app's errors from these lines. A worker that serves
 * production and preview passes `tier`.
 */
export function logError(error: unknown, { route, tier }: { route: string; tier?: Tier | undefined }): void {
  const message = errorText(error)
  const stack = error instanceof Error ? error.stack : undefined
  const release = typeof env['RELEASE'] === 'string' ? env['RELEASE'] : null
  // eslint-disable-next-line no-console -- the log is the only place to which a worker can report an error
  console.error(JSON.stringify({ kind: 'error', message, stack, route, release, tier }))
}
