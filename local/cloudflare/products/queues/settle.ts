import * as z from 'zod'
import type { Store } from '../../../world/store.ts'
import { deleteMessage, insertMessages, type Message, retryMessage } from './messages.ts'
import { type Consumer, findQueue, type Queue } from './store.ts'

/** What the runtime reports after a queue handler: the outcome of the call, and every `ack` and `retry` in it. */
export const BatchOutcome = z.object({
  outcome: z.string(),
  ackAll: z.boolean(),
  retryBatch: z.object({ retry: z.boolean(), delaySeconds: z.number().optional() }),
  explicitAcks: z.array(z.string()),
  retryMessages: z.array(z.object({ msgId: z.string(), delaySeconds: z.number().optional() })),
})
export type BatchOutcome = z.output<typeof BatchOutcome>

/** The outcome of a batch when the runtime reports none: every message has failed. */
export const failedRun: BatchOutcome = {
  outcome: 'exception',
  ackAll: false,
  retryBatch: { retry: false },
  explicitAcks: [],
  retryMessages: [],
}

/**
 * Deletes acknowledged messages and retries failed ones, in one transaction. `ack()` or `retry()` on a single message takes precedence over
 * a call on the whole batch, and both take precedence over an exception of the handler.
 */
export function settleBatch(
  store: Store,
  { queue, consumer }: { queue: Queue; consumer: Consumer },
  batch: Message[],
  outcome: BatchOutcome,
  at: number,
): void {
  const acked = new Set(outcome.explicitAcks)
  const retried = new Map(outcome.retryMessages.map(({ msgId, delaySeconds }) => [msgId, delaySeconds]))
  const isRestAcked = outcome.ackAll || (outcome.outcome === 'ok' && !outcome.retryBatch.retry)
  store.transact(() => {
    for (const message of batch) {
      const isAcked = acked.has(message.id) || (isRestAcked && !retried.has(message.id))
      if (isAcked) deleteMessage(store, message)
      else {
        const delaySeconds = retried.get(message.id) ?? outcome.retryBatch.delaySeconds
        failMessage(store, { queue, consumer }, message, delaySeconds, at)
      }
    }
  })
}

/**
 * Counts a failed delivery: retries the message later or, after the last retry, moves it to the dead letter queue or deletes it.
 */
export function failMessage(
  store: Store,
  { queue, consumer }: { queue: Queue; consumer: Consumer },
  message: Message,
  delaySeconds: number | undefined,
  at: number,
): void {
  const { max_retries: retries, retry_delay: usualDelay } = consumer.settings
  if (message.failures < retries) {
    retryMessage(store, message, at + (delaySeconds ?? usualDelay) * 1000)
    return
  }
  const name = consumer.deadLetterQueue
  const target = name === null ? null : findQueue(store, queue.accountId, name)
  if (deleteMessage(store, message) && target !== null) insertMessages(store, target, [message], at)
}
