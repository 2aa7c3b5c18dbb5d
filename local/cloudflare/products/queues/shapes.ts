import type { Context } from 'hono'
import type { Store } from '../../../world/store.ts'
import { producersOfQueue } from './workers.ts'
import { type Consumer, type Queue, readConsumer, readQueue } from './store.ts'
import { findScriptById } from '../../store/scripts.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import type { QueueDeliveries } from './deliveries.ts'

/** What the routes of queues need besides the store. `check` delivers messages that are due. */
export interface QueuesCloud extends Cloud {
  queues: Pick<QueueDeliveries, 'check'>
}

/** Returns the queue that the path names, or throws. A name such as `late-3s` hides a new queue from reads for three seconds. */
export function findQueueOrRefuse(cloud: Cloud, c: Context<ApiEnv>): Queue {
  const queue = readQueue(cloud.store, c.req.param('queue') ?? '')
  const visibilityDelayMs = queue === null ? 0 : (cloud.faults?.visibilityDelayMs(queue.name) ?? 0)
  const isHidden = c.req.method === 'GET' && cloud.now() < (queue?.createdAt ?? 0) + visibilityDelayMs
  if (queue === null || queue.accountId !== c.get('account').id || isHidden)
    throw new ApiFailure(404, 11000, 'The specified queue does not exist.')
  return queue
}

/** Returns a queue as the API shows it, with the workers that send to it and its consumer. */
export function toQueue(store: Store, queue: Queue): object {
  const consumer = readConsumer(store, queue.id)
  const producers = producersOfQueue(store, queue).map((script) => ({ type: 'worker', script }))
  return {
    queue_id: queue.id,
    queue_name: queue.name,
    created_on: isoTime(queue.createdAt),
    modified_on: isoTime(queue.modifiedAt),
    producers,
    producers_total_count: producers.length,
    consumers: consumer === null ? [] : [toConsumer(store, queue, consumer)],
    consumers_total_count: consumer === null ? 0 : 1,
    settings: {
      delivery_delay: queue.deliveryDelaySeconds,
      delivery_paused: queue.isPaused,
      message_retention_period: queue.retentionSeconds,
    },
  }
}

/** Returns a consumer as the API shows it. A worker and a pull consumer have different settings. */
export function toConsumer(store: Store, queue: Queue, consumer: Consumer): object {
  const script = consumer.scriptId === null ? null : findScriptById(store, consumer.scriptId)
  const {
    visibility_timeout_ms: visibility,
    max_concurrency,
    max_wait_time_ms,
    ...shared
  } = consumer.settings
  return {
    consumer_id: consumer.id,
    queue_name: queue.name,
    queue_id: queue.id,
    type: consumer.type,
    created_on: isoTime(consumer.createdAt),
    dead_letter_queue: consumer.deadLetterQueue ?? '',
    // Two names for the same value: some of the provider's clients read `script`, others `script_name`.
    ...(script === null ? {} : { script: script.name, script_name: script.name }),
    settings:
      consumer.type === 'worker'
        ? { ...shared, max_concurrency, max_wait_time_ms }
        : { ...shared, visibility_timeout_ms: visibility },
  }
}
