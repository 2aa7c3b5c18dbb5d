import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { ensureResource } from './create-once.ts'
import { CloudflareError } from '../errors.ts'

const ConsumerRead = z.looseObject({
  consumer_id: z.string(),
  type: z.string().nullish(),
  script: z.string().nullish(),
  script_name: z.string().nullish(),
})
const Queue = z.looseObject({
  queue_id: z.string(),
  queue_name: z.string(),
  consumers: z.array(ConsumerRead).nullish(),
})
export type Queue = z.output<typeof Queue>

export interface Consumer {
  script: string
  deadLetterQueue: string
  settings: {
    batch_size: number
    max_retries: number
    max_wait_time_ms: number
    retry_delay: number
    max_concurrency: number | null
  }
}

const QUEUES_PATH = '/accounts/:account/queues'
const queuePath = (id: string) => `${QUEUES_PATH}/${encodeURIComponent(id)}`

export async function findQueue(cloud: Cloud, name: string): Promise<Queue | null> {
  const found = await cloud.call({
    method: 'GET',
    path: QUEUES_PATH,
    query: { name },
    doing: `look up the queue ${name}`,
    result: z.array(Queue),
  })
  return found.find((queue) => queue.queue_name === name) ?? null
}

/**
 * Creates a queue if it does not exist. A caller that knows the queue to be missing sets `wasMissing` to save a
 * look-up. After a lost response the function looks for the queue before it sends the call again.
 */
export const ensureQueue = (
  cloud: Cloud,
  name: string,
  { wasMissing = false }: { wasMissing?: boolean } = {},
): Promise<Queue> =>
  ensureResource({ find: () => findQueue(cloud, name), create: () => createQueue(cloud, name), wasMissing })

const createQueue = (cloud: Cloud, name: string): Promise<Queue> =>
  cloud.call({
    method: 'POST',
    path: QUEUES_PATH,
    json: { queue_name: name },
    doing: `create the queue ${name}`,
    result: Queue,
    write: { action: 'queue.create', target: name },
  })

/** Deletes a queue with its messages. Succeeds when there is none. */
export async function deleteQueue(cloud: Cloud, name: string): Promise<void> {
  const queue = await findQueue(cloud, name)
  if (queue === null) return
  await removeConsumers(cloud, queue)
  await cloud.call({
    method: 'DELETE',
    path: queuePath(queue.queue_id),
    doing: `remove the queue ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'queue.delete', target: name },
  })
}

/**
 * Makes this worker the only consumer of a queue, which can have at most one. After a lost response it reads the queue
 * before it retries.
 */
export async function putConsumer(cloud: Cloud, queue: Queue, consumer: Consumer): Promise<void> {
  try {
    await writeConsumer(cloud, queue, consumer)
  } catch (error) {
    if (!(error instanceof CloudflareError) || error.isClear) throw error
    const now = await findQueue(cloud, queue.queue_name)
    if (now === null) throw error
    await writeConsumer(cloud, now, consumer)
  }
}

async function writeConsumer(cloud: Cloud, queue: Queue, consumer: Consumer): Promise<void> {
  const first = queue.consumers?.[0]
  const isOurs = first !== undefined && (first.script_name ?? first.script) === consumer.script
  if (first !== undefined && !isOurs) await removeConsumers(cloud, queue)
  const path = `${queuePath(queue.queue_id)}/consumers`
  await cloud.call({
    method: isOurs ? 'PUT' : 'POST',
    path: isOurs ? `${path}/${first.consumer_id}` : path,
    json: {
      type: 'worker',
      script_name: consumer.script,
      dead_letter_queue: consumer.deadLetterQueue,
      settings: consumer.settings,
    },
    doing: `make the worker ${consumer.script} consume the queue ${queue.queue_name}`,
    result: z.looseObject({}),
    write: { action: 'queue.consume', target: queue.queue_name },
  })
}

/** Removes the consumers of a queue. Its messages remain until another consumer is set. */
export async function removeConsumers(cloud: Cloud, queue: Queue): Promise<void> {
  for (const { consumer_id: id } of queue.consumers ?? [])
    await cloud.call({
      method: 'DELETE',
      path: `${queuePath(queue.queue_id)}/consumers/${encodeURIComponent(id)}`,
      doing: `stop the deliveries of ${queue.queue_name}`,
      result: z.unknown(),
      missing: 'null',
      write: { action: 'queue.rest', target: queue.queue_name },
    })
}

/** Returns the number of messages in a queue, including those that are delivered later. */
export async function countMessages(cloud: Cloud, queue: Queue): Promise<number> {
  const { backlog_count } = await cloud.call({
    method: 'GET',
    path: `${queuePath(queue.queue_id)}/metrics`,
    doing: `count the messages of ${queue.queue_name}`,
    result: z.looseObject({ backlog_count: z.number() }),
  })
  return backlog_count
}
