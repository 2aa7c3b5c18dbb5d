import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'

/** This file only reads and writes rows. Its callers check permissions, limits and states. */

export interface Queue {
  id: string
  accountId: string
  name: string
  deliveryDelaySeconds: number
  isPaused: boolean
  retentionSeconds: number
  backlogCount: number
  backlogBytes: number
  purgedAt: number | null
  createdAt: number
  modifiedAt: number
}

/** The settings of a consumer, with the provider's field names because they are returned unchanged. */
export interface ConsumerSettings {
  batch_size: number
  max_retries: number
  max_wait_time_ms: number
  /** The maximum number of concurrent batches; null: `AUTO_CONCURRENCY` of `deliveries.ts`. */
  max_concurrency: number | null
  retry_delay: number
  visibility_timeout_ms: number
}

export interface Consumer {
  id: string
  queueId: string
  type: 'worker' | 'http_pull'
  scriptId: string | null
  deadLetterQueue: string | null
  settings: ConsumerSettings
  createdAt: number
}

interface QueueRow {
  id: string
  account_id: string
  name: string
  delivery_delay_s: number
  is_paused: number
  retention_s: number
  backlog_count: number
  backlog_bytes: number
  purged_at: number | null
  created_at: number
  modified_at: number
}

function toQueue(row: QueueRow): Queue {
  return {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    deliveryDelaySeconds: row.delivery_delay_s,
    isPaused: row.is_paused === 1,
    retentionSeconds: row.retention_s,
    backlogCount: row.backlog_count,
    backlogBytes: row.backlog_bytes,
    purgedAt: row.purged_at,
    createdAt: row.created_at,
    modifiedAt: row.modified_at,
  }
}

interface ConsumerRow {
  id: string
  queue_id: string
  type: Consumer['type']
  script_id: string | null
  dead_letter_queue: string | null
  settings: JsonText<ConsumerSettings>
  created_at: number
}

function toConsumer(row: ConsumerRow): Consumer {
  return {
    id: row.id,
    queueId: row.queue_id,
    type: row.type,
    scriptId: row.script_id,
    deadLetterQueue: row.dead_letter_queue,
    settings: JSON.parse(row.settings),
    createdAt: row.created_at,
  }
}

const queueOrNull = (row: QueueRow | undefined) => (row === undefined ? null : toQueue(row))

export function readQueue(store: Store, id: string): Queue | null {
  return queueOrNull(store.get<QueueRow>('SELECT * FROM queues WHERE id = ?', id))
}

export function findQueue(store: Store, accountId: string, name: string): Queue | null {
  return queueOrNull(
    store.get<QueueRow>('SELECT * FROM queues WHERE account_id = ? AND name = ?', accountId, name),
  )
}

export function listQueues(store: Store, accountId: string): Queue[] {
  return store
    .all<QueueRow>('SELECT * FROM queues WHERE account_id = ? ORDER BY name', accountId)
    .map(toQueue)
}

export function insertQueue(
  store: Store,
  queue: Pick<Queue, 'accountId' | 'name' | 'deliveryDelaySeconds' | 'isPaused' | 'retentionSeconds'>,
  at: number,
): Queue {
  const id = hexId()
  store.run(
    `INSERT INTO queues (id, account_id, name, delivery_delay_s, is_paused, retention_s, created_at, modified_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    id,
    queue.accountId,
    queue.name,
    queue.deliveryDelaySeconds,
    Number(queue.isPaused),
    queue.retentionSeconds,
    at,
    at,
  )
  return requireStored(readQueue(store, id))
}

export function updateQueue(store: Store, queue: Queue): void {
  store.run(
    `UPDATE queues SET name = ?, delivery_delay_s = ?, is_paused = ?, retention_s = ?, purged_at = ?, modified_at = ?
     WHERE id = ?`,
    queue.name,
    queue.deliveryDelaySeconds,
    Number(queue.isPaused),
    queue.retentionSeconds,
    queue.purgedAt,
    queue.modifiedAt,
    queue.id,
  )
}

export function deleteQueue(store: Store, queue: Queue): void {
  store.run('DELETE FROM queues WHERE id = ?', queue.id)
}

export function readConsumer(store: Store, queueId: string): Consumer | null {
  const row = store.get<ConsumerRow>('SELECT * FROM queue_consumers WHERE queue_id = ?', queueId)
  return row === undefined ? null : toConsumer(row)
}

export function listWorkerConsumers(store: Store): Consumer[] {
  return store.all<ConsumerRow>(`SELECT * FROM queue_consumers WHERE type = 'worker'`).map(toConsumer)
}

/** Returns the queues that the workers of one process (a group) consume. */
export function listGroupQueues(store: Store, groupId: string): Queue[] {
  return store
    .all<QueueRow>(
      `SELECT queues.* FROM scripts
         JOIN queue_consumers ON queue_consumers.script_id = scripts.id
         JOIN queues ON queues.id = queue_consumers.queue_id
       WHERE scripts.group_id = ?`,
      groupId,
    )
    .map(toQueue)
}

export function putConsumer(store: Store, consumer: Consumer): void {
  store.run(
    `INSERT INTO queue_consumers (queue_id, id, type, script_id, dead_letter_queue, settings, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (queue_id) DO UPDATE SET type = excluded.type, script_id = excluded.script_id,
       dead_letter_queue = excluded.dead_letter_queue, settings = excluded.settings`,
    consumer.queueId,
    consumer.id,
    consumer.type,
    consumer.scriptId,
    consumer.deadLetterQueue,
    JSON.stringify(consumer.settings) satisfies ConsumerRow['settings'],
    consumer.createdAt,
  )
}

export function deleteConsumer(store: Store, consumer: Consumer): void {
  store.run('DELETE FROM queue_consumers WHERE id = ?', consumer.id)
}
