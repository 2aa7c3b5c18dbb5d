import { Hono } from 'hono'
import * as z from 'zod'
import { listDeliverableMessages, type Message, type NewMessage, readMetrics } from './messages.ts'
import { BATCH_BYTES_MAX, DELAY_SECONDS_MAX, MESSAGE_BYTES_MAX, storeMessages } from './producer.ts'
import { type Lease, pullMessages, settlePulled } from './pull.ts'
import { type Consumer, findQueue, type Queue, readConsumer } from './store.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { findQueueOrRefuse, type QueuesCloud } from './shapes.ts'
import { readBody } from '../../rest/read-body.ts'

const BATCH_MAX = 100
const DelaySeconds = z.number().int().min(0).max(DELAY_SECONDS_MAX).optional()
const BatchSize = z.number().int().min(1).max(BATCH_MAX).default(5)

const Pushed = z.object({
  body: z.unknown(),
  content_type: z.enum(['text', 'json']).default('json'),
  delay_seconds: DelaySeconds,
})
const PushedBatch = z.object({
  messages: z.array(Pushed).min(1).max(BATCH_MAX),
  delay_seconds: DelaySeconds,
})
const Pull = z.object({
  batch_size: BatchSize,
  visibility_timeout_ms: z.number().int().min(0).max(43_200_000).optional(),
})
const Preview = z.object({ batch_size: BatchSize })
const Acks = z.object({
  acks: z.array(z.object({ lease_id: z.string() })).default([]),
  retries: z.array(z.object({ lease_id: z.string(), delay_seconds: DelaySeconds })).default([]),
})

/**
 * Routes for messages: push and preview for every queue; pull and acknowledge for queues with an HTTP pull
 * consumer.
 */
export function messageRoutes(cloud: QueuesCloud): Hono<ApiEnv> {
  const { store, now } = cloud
  const deps = { store, now, check: cloud.queues.check }
  return new Hono<ApiEnv>()
    .post('/', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      storeMessages(deps, queue, [toNewMessage(await readBody(c, Pushed))], undefined)
      return respond(c, { metadata: { metrics: toMetrics(cloud, queue) } })
    })
    .post('/batch', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const { messages, delay_seconds: delaySeconds } = await readBody(c, PushedBatch)
      const batch = messages.map(toNewMessage)
      if (batch.reduce((sum, { body }) => sum + body.byteLength, 0) > BATCH_BYTES_MAX)
        throw new ApiFailure(413, 11011, `The batch exceeds the limit of ${BATCH_BYTES_MAX} bytes.`)
      storeMessages(deps, queue, batch, delaySeconds)
      return respond(c, { metadata: { metrics: toMetrics(cloud, queue) } })
    })
    .post('/preview', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const { batch_size: limit } = await readBody(c, Preview)
      const shown = listDeliverableMessages(store, queue.id, now(), limit).map(toMessage)
      return respond(c, { messages: shown, message_backlog_count: queue.backlogCount })
    })
    .post('/pull', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const consumer = pullConsumer(cloud, queue)
      const { batch_size: limit, visibility_timeout_ms: given } = await readBody(c, Pull)
      const visibilityMs = given ?? consumer.settings.visibility_timeout_ms
      const pulled = pullMessages(store, { queue, consumer }, { limit, visibilityMs, at: now() })
      checkDeadLetters(cloud, queue, consumer)
      const metrics = toMetrics(cloud, queue)
      return respond(c, {
        messages: pulled.map(({ message, leaseId }) => ({ ...toMessage(message), lease_id: leaseId })),
        message_backlog_count: metrics.backlog_count,
        metadata: { metrics },
      })
    })
    .post('/ack', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const consumer = pullConsumer(cloud, queue)
      const { acks, retries } = await readBody(c, Acks)
      const leases: Lease[] = [
        ...acks.map(({ lease_id: id }) => ({ id, isAcked: true, delaySeconds: undefined })),
        ...retries.map(({ lease_id: id, delay_seconds: delaySeconds }) => ({
          id,
          isAcked: false,
          delaySeconds,
        })),
      ]
      const { unknown, acked, retried } = settlePulled(store, { queue, consumer }, leases, now())
      checkDeadLetters(cloud, queue, consumer)
      const warnings = Object.fromEntries(unknown.map((id) => [id, 'unknown or expired lease']))
      return respond(c, { ackCount: acked, retryCount: retried, warnings })
    })
}

/** Starts deliveries from the dead letter queue, which may have a consumer. */
function checkDeadLetters(cloud: QueuesCloud, queue: Queue, { deadLetterQueue }: Consumer): void {
  const target = deadLetterQueue === null ? null : findQueue(cloud.store, queue.accountId, deadLetterQueue)
  if (target !== null) cloud.queues.check(target.id)
}

function pullConsumer({ store }: QueuesCloud, queue: Queue) {
  const consumer = readConsumer(store, queue.id)
  if (consumer?.type !== 'http_pull')
    throw new ApiFailure(405, 11010, `Queue '${queue.name}' has no http_pull consumer.`)
  return consumer
}

function toNewMessage({ body, content_type: format, delay_seconds }: z.output<typeof Pushed>): NewMessage {
  if (format === 'text' && typeof body !== 'string')
    throw new ApiFailure(400, 10001, 'body: must be a text when content_type is text')
  const text = format === 'text' ? String(body) : JSON.stringify(body ?? null)
  const bytes = Buffer.from(text)
  if (bytes.byteLength > MESSAGE_BYTES_MAX)
    throw new ApiFailure(413, 11011, `The message exceeds the limit of ${MESSAGE_BYTES_MAX} bytes.`)
  return { format, body: bytes, delaySeconds: delay_seconds }
}

/** Returns a message for a pull or preview. Its body is base64 when the content type is `bytes` or `v8`. */
function toMessage(message: Message): object {
  const isText = message.format === 'text' || message.format === 'json'
  return {
    id: message.id,
    body: Buffer.from(message.body).toString(isText ? 'utf8' : 'base64'),
    attempts: message.failures + 1,
    timestamp_ms: message.sentAt,
    metadata: { 'CF-Content-Type': message.format },
  }
}

function toMetrics({ store }: QueuesCloud, queue: Queue) {
  const { count, bytes, oldestAt } = readMetrics(store, queue.id)
  return { backlog_count: count, backlog_bytes: bytes, oldest_message_timestamp_ms: oldestAt }
}
