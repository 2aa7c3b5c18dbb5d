import { isEnabled } from '../kernel/worker/env.ts'
import { findJob } from '../kernel/objects/jobs.ts'
import { logError } from '../kernel/objects/log.ts'
import { manifest } from '../manifest.gen.ts'
import { queueProducer } from './bindings.ts'
import { callQueue } from './rpc-client.ts'
import type { Envelope } from './types.ts'
import { fieldsOf } from '../kernel/fields.ts'

export interface Message {
  body: unknown
  timestamp: Date
  /** Counted from 1. */
  attempts: number
  ack(): void
  retry(): void
}

/**
 * Runs the jobs of a batch concurrently. Each job is acknowledged separately, so a failed job does not repeat the others. A job that fails
 * for good is moved to the dead letters, so no job is lost.
 */
export async function runJobs(messages: readonly Message[]): Promise<void> {
  await Promise.all(messages.map(runJob))
}

async function runJob(message: Message): Promise<void> {
  try {
    // The capability was switched off after this batch was sent. Retry, so that the job runs if the capability is switched on again before
    // the last attempt.
    if (!isEnabled('queue')) return message.retry()
    const job = envelopeIn(message.body)
    if (job === null) {
      logError(new Error('A queue message is not a job.'), { route: logRouteOf('?') })
      return await moveToDeadLetters(message)
    }
    const { name, id, data } = job
    const spec = manifest.queues?.find((one) => one.name === name)
    const handler = spec === undefined ? null : findJob(spec.handler)
    if (spec === undefined || handler === null) {
      logError(new Error(`This release has no job ${name}.`), { route: logRouteOf(name) })
      return await moveToDeadLetters(message)
    }
    try {
      await handler(data, {
        id,
        attempt: message.attempts,
        scheduledAt: message.timestamp.toISOString(),
        userId: null,
      })
      message.ack()
    } catch (error) {
      logError(error, { route: logRouteOf(name) })
      const retries = spec.retries ?? (await callQueue('settings', null)).maxRetries
      if (message.attempts > retries) return await moveToDeadLetters(message)
      message.retry()
    }
  } catch (error) {
    // Cloudflare delivers the message again, and moves it to the dead letter queue after the last attempt.
    logError(error, { route: logRouteOf('?') })
    message.retry()
  }
}

/** Sends the copy before acknowledging the message, so that an interruption repeats the job instead of losing it. */
async function moveToDeadLetters(message: Message): Promise<void> {
  await queueProducer('DEAD_JOBS').send(message.body, { contentType: 'json' })
  message.ack()
}

function envelopeIn(body: unknown): Envelope | null {
  const { v, name, id, data } = fieldsOf(body)
  return v === 1 && typeof name === 'string' && typeof id === 'string' ? { v, name, id, data } : null
}

const logRouteOf = (name: string): string => `queue ${name}`
