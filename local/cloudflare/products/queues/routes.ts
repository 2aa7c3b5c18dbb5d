import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { deleteAllMessages, readMetrics } from './messages.ts'
import { DELAY_SECONDS_MAX } from './producer.ts'
import { deleteQueue, findQueue, insertQueue, listQueues, type Queue, updateQueue } from './store.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { isoTime, respondWithList, respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { findQueueOrRefuse, toQueue, type QueuesCloud } from './shapes.ts'
import { consumerRoutes } from './consumer-routes.ts'
import { messageRoutes } from './message-routes.ts'
import { readBody } from '../../rest/read-body.ts'

const QUEUE_NAME = /^[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?$/
const RETENTION_SECONDS = { default: 345_600, min: 60, max: 1_209_600 }

const Settings = z.object({
  delivery_delay: z.number().int().min(0).max(DELAY_SECONDS_MAX).optional(),
  delivery_paused: z.boolean().optional(),
  message_retention_period: z.number().int().min(RETENTION_SECONDS.min).max(RETENTION_SECONDS.max).optional(),
})
const NewQueue = z.object({ queue_name: z.string(), settings: Settings.default({}) })
const QueuePatch = z.object({ queue_name: z.string().optional(), settings: Settings.default({}) })
const Purge = z.object({ delete_messages_permanently: z.literal(true) })

/** Queues over REST, mounted at /queues. PUT resets omitted settings to their defaults, and PATCH keeps them. */
export function queueRoutes(cloud: QueuesCloud): Hono<ApiEnv> {
  const { store } = cloud
  return new Hono<ApiEnv>()
    .get('/', (c) => respondWithList(c, listByName(cloud, c)))
    .post('/', async (c) => {
      const input = await readBody(c, NewQueue)
      const queue = createQueue(cloud, c.get('account').id, input)
      return respond(c, toQueue(store, queue))
    })
    .get('/:queue', (c) => respond(c, toQueue(store, findQueueOrRefuse(cloud, c))))
    .put('/:queue', async (c) => {
      const input = await readBody(c, QueuePatch)
      return changeQueue(cloud, c, { ...input, settings: withDefaults(input.settings) })
    })
    .patch('/:queue', async (c) => changeQueue(cloud, c, await readBody(c, QueuePatch)))
    .delete('/:queue', (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      deleteQueue(store, queue)
      cloud.queues.check(queue.id)
      return respond(c, null)
    })
    .get('/:queue/metrics', (c) => {
      const { count, bytes, oldestAt } = readMetrics(store, findQueueOrRefuse(cloud, c).id)
      return respond(c, {
        backlog_count: count,
        backlog_bytes: bytes,
        oldest_message_timestamp_ms: oldestAt,
      })
    })
    .post('/:queue/purge', async (c) => {
      await readBody(c, Purge)
      const queue = findQueueOrRefuse(cloud, c)
      const purged = { ...queue, purgedAt: cloud.now() }
      store.transact(() => {
        deleteAllMessages(store, queue.id)
        updateQueue(store, purged)
      })
      return respond(c, toPurge(purged))
    })
    .get('/:queue/purge', (c) => respond(c, toPurge(findQueueOrRefuse(cloud, c))))
    .route('/:queue/consumers', consumerRoutes(cloud))
    .route('/:queue/messages', messageRoutes(cloud))
}

const withDefaults = (input: z.output<typeof Settings>) => ({
  delivery_delay: input.delivery_delay ?? 0,
  delivery_paused: input.delivery_paused ?? false,
  message_retention_period: input.message_retention_period ?? RETENTION_SECONDS.default,
})

function listByName({ store, now, faults }: QueuesCloud, c: Context<ApiEnv>): object[] {
  const name = c.req.query('name')
  return listQueues(store, c.get('account').id)
    .filter((queue) => name === undefined || queue.name === name)
    .filter((queue) => now() >= queue.createdAt + (faults?.visibilityDelayMs(queue.name) ?? 0))
    .map((queue) => toQueue(store, queue))
}

function createQueue(cloud: QueuesCloud, accountId: string, input: z.output<typeof NewQueue>): Queue {
  checkName(input.queue_name)
  const settings = withDefaults(input.settings)
  return cloud.store.transact(() => {
    requireFreeName(cloud, accountId, input.queue_name)
    const queue = {
      accountId,
      name: input.queue_name,
      deliveryDelaySeconds: settings.delivery_delay,
      isPaused: settings.delivery_paused,
      retentionSeconds: settings.message_retention_period,
    }
    return insertQueue(cloud.store, queue, cloud.now())
  })
}

function changeQueue(cloud: QueuesCloud, c: Context<ApiEnv>, input: z.output<typeof QueuePatch>): Response {
  const queue = findQueueOrRefuse(cloud, c)
  const { queue_name: name = queue.name, settings } = input
  checkName(name)
  const next = {
    ...queue,
    name,
    deliveryDelaySeconds: settings.delivery_delay ?? queue.deliveryDelaySeconds,
    isPaused: settings.delivery_paused ?? queue.isPaused,
    retentionSeconds: settings.message_retention_period ?? queue.retentionSeconds,
    modifiedAt: cloud.now(),
  }
  cloud.store.transact(() => {
    if (name !== queue.name) requireFreeName(cloud, queue.accountId, name)
    updateQueue(cloud.store, next)
  })
  cloud.queues.check(queue.id)
  return respond(c, toQueue(cloud.store, next))
}

function checkName(name: string): void {
  if (!QUEUE_NAME.test(name)) throw new ApiFailure(400, 11002, `'${name}' is not a valid queue name.`)
}

function requireFreeName({ store }: QueuesCloud, accountId: string, name: string): void {
  if (findQueue(store, accountId, name) !== null)
    throw new ApiFailure(409, 11009, `Queue name '${name}' is already taken.`)
}

function toPurge({ purgedAt }: Queue): object {
  // A purge completes within its request, so `completed` is null only before the first purge.
  const at = purgedAt === null ? null : isoTime(purgedAt)
  return { started_at: at, completed: purgedAt === null ? null : 'true' }
}
