import { hexId } from '../../../world/ids.ts'
import type { Store } from '../../../world/store.ts'
import type { Queue } from './store.ts'

/** How the body was serialized. `bytes` and `v8` come from workers only; the REST API sends text and JSON. */
export type MessageFormat = 'text' | 'json' | 'bytes' | 'v8'

export interface NewMessage {
  format: MessageFormat
  body: Uint8Array
  delaySeconds?: number | undefined
}

/**
 * A stored message. `failures` counts failed deliveries, so the consumer sees `failures + 1` attempts. `visibleAt` is when it can be
 * delivered, in epoch milliseconds.
 */
export interface Message {
  seq: number
  id: string
  format: MessageFormat
  body: Uint8Array
  failures: number
  lease: string | null
  sentAt: number
  visibleAt: number
}

/**
 * The lease of a message that is being delivered to a worker. The lease is released when the worker's outcome is known, or else when this
 * process starts again.
 */
export const WORKER_LEASE = 'worker'

interface MessageRow {
  seq: number
  id: string
  format: MessageFormat
  body: Uint8Array
  failures: number
  lease: string | null
  sent_at: number
  visible_at: number
}

function toMessage(row: MessageRow): Message {
  return {
    seq: row.seq,
    id: row.id,
    format: row.format,
    body: row.body,
    failures: row.failures,
    lease: row.lease,
    sentAt: row.sent_at,
    visibleAt: row.visible_at,
  }
}

/**
 * Stores messages. When the function returns, the messages are on disk. The delay of a message takes precedence over the argument
 * `delaySeconds`.
 */
export function insertMessages(
  store: Store,
  queue: Queue,
  messages: NewMessage[],
  at: number,
  delaySeconds = queue.deliveryDelaySeconds,
): void {
  store.transact(() => {
    for (const message of messages) {
      store.run(
        `INSERT INTO queue_messages (queue_id, id, format, body, sent_at, visible_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?)`,
        queue.id,
        hexId(),
        message.format,
        message.body,
        at,
        at + (message.delaySeconds ?? delaySeconds) * 1000,
        at + queue.retentionSeconds * 1000,
      )
    }
  })
}

const DELIVERABLE_CONDITION = `queue_id = ? AND visible_at <= ? AND expires_at > ? AND lease IS NOT '${WORKER_LEASE}'
  ORDER BY visible_at, seq LIMIT ?`

/**
 * Returns the time at which each deliverable message became due, earliest first. Selects no bodies, because
 * this is called often.
 */
export function listDueTimes(store: Store, queueId: string, at: number, limit: number): number[] {
  return store
    .all<{ visible_at: number }>(
      `SELECT visible_at FROM queue_messages WHERE ${DELIVERABLE_CONDITION}`,
      queueId,
      at,
      at,
      limit,
    )
    .map((row) => row.visible_at)
}

/** Lists the deliverable messages; the one that has been due longest comes first. */
export function listDeliverableMessages(store: Store, queueId: string, at: number, limit: number): Message[] {
  return store
    .all<MessageRow>(`SELECT * FROM queue_messages WHERE ${DELIVERABLE_CONDITION}`, queueId, at, at, limit)
    .map(toMessage)
}

/** Epoch milliseconds at which the next message becomes deliverable; null when none waits. */
export function nextVisibleAt(store: Store, queueId: string, at: number): number | null {
  const row = store.get<{ visible_at: number }>(
    `SELECT visible_at FROM queue_messages
     WHERE queue_id = ? AND expires_at > ? AND lease IS NOT '${WORKER_LEASE}' ORDER BY visible_at LIMIT 1`,
    queueId,
    at,
  )
  return row?.visible_at ?? null
}

/** Reserves a message until `visibleAt`, or releases it with null. */
export function setLease(store: Store, message: Message, lease: string | null, visibleAt: number): void {
  store.run(
    'UPDATE queue_messages SET lease = ?, visible_at = ? WHERE seq = ?',
    lease,
    visibleAt,
    message.seq,
  )
}

/** Returns the message while it has exactly this lease; null when the lease was replaced or the message was deleted. */
export function findLeasedMessage(store: Store, queueId: string, seq: number, lease: string): Message | null {
  const row = store.get<MessageRow>(
    'SELECT * FROM queue_messages WHERE seq = ? AND queue_id = ? AND lease = ?',
    seq,
    queueId,
    lease,
  )
  return row === undefined ? null : toMessage(row)
}

/** Returns false when the message was purged meanwhile. */
export function deleteMessage(store: Store, message: Message): boolean {
  return store.run('DELETE FROM queue_messages WHERE seq = ?', message.seq) > 0
}

/** Counts a failed delivery and makes the message deliverable again at `visibleAt`. */
export function retryMessage(store: Store, message: Message, visibleAt: number): void {
  store.run(
    'UPDATE queue_messages SET failures = failures + 1, lease = NULL, visible_at = ? WHERE seq = ?',
    visibleAt,
    message.seq,
  )
}

/** Makes messages deliverable whose delivery ended with the previous process. Called once at the start. */
export function releaseWorkerLeases(store: Store): void {
  store.run('UPDATE queue_messages SET lease = NULL WHERE lease = ?', WORKER_LEASE)
}

/** Deletes messages older than the retention period of their queue, except those that a worker is processing. */
export function deleteExpired(store: Store, at: number): void {
  store.run('DELETE FROM queue_messages WHERE expires_at <= ? AND lease IS NOT ?', at, WORKER_LEASE)
}

/** Also deletes the messages that a worker is processing. */
export function deleteAllMessages(store: Store, queueId: string): void {
  store.run('DELETE FROM queue_messages WHERE queue_id = ?', queueId)
}

/** Returns the backlog of a queue, which the response to every send contains. */
export function readMetrics(
  store: Store,
  queueId: string,
): { count: number; bytes: number; oldestAt: number } {
  const row = store.get<{ count: number; bytes: number; oldest: number | null }>(
    `SELECT backlog_count AS count, backlog_bytes AS bytes,
       (SELECT sent_at FROM queue_messages WHERE queue_id = queues.id ORDER BY seq LIMIT 1) AS oldest
     FROM queues WHERE id = ?`,
    queueId,
  )
  return { count: row?.count ?? 0, bytes: row?.bytes ?? 0, oldestAt: row?.oldest ?? 0 }
}
