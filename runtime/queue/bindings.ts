import { env } from 'cloudflare:workers'
import { ApiError } from '../kernel/errors.ts'

/** A message for a queue of the provider. */
interface Sent {
  body: unknown
  contentType: 'json'
  delaySeconds?: number
}

/** A queue of the provider, to send to. */
interface Producer {
  send(body: unknown, options: { contentType: 'json' }): Promise<unknown>
  sendBatch(messages: Sent[]): Promise<unknown>
}

/** Returns the queue of this tier, or the one for jobs that could not be done; throws while the app has none. */
export function producer(name: 'JOBS' | 'DEAD_JOBS'): Producer {
  const binding = env[name] as Producer | undefined
  if (binding === undefined)
    throw new ApiError('not_enabled', 'The capability queue is on, but not live yet. Ship the project.')
  return binding
}
