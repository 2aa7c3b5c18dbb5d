import { env } from 'cloudflare:workers'
import { ApiError } from '../kernel/errors.ts'

interface QueuedMessage {
  body: unknown
  contentType: 'json'
  delaySeconds?: number
}

interface QueueProducer {
  send(body: unknown, options: { contentType: 'json' }): Promise<unknown>
  sendBatch(messages: QueuedMessage[]): Promise<unknown>
}

/**
 * Returns a queue: `JOBS`, or `DEAD_JOBS` for jobs whose last attempt failed. Throws while the app has no queue.
 */
export function queueProducer(name: 'JOBS' | 'DEAD_JOBS'): QueueProducer {
  const binding = env[name] as QueueProducer | undefined
  if (binding === undefined)
    throw new ApiError('not_enabled', 'The capability queue is on, but not live yet. Ship the project.')
  return binding
}
