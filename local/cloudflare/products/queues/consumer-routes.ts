import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import {
  type Consumer,
  type ConsumerSettings,
  deleteConsumer,
  putConsumer,
  type Queue,
  readConsumer,
} from './store.ts'
import { DELAY_SECONDS_MAX } from './producer.ts'
import { noQueueHandler } from './workers.ts'
import { findScript, readActiveVersion } from '../../store/scripts.ts'
import type { ApiEnv } from '../../rest/context.ts'
import { respond } from '../../rest/envelope.ts'
import { ApiFailure, noSuchScript } from '../../rest/failure.ts'
import { findQueueOrRefuse, toConsumer, type QueuesCloud } from './shapes.ts'
import { readBody } from '../../rest/read-body.ts'

const HOUR_MS = 3_600_000
const optionalInt = (min: number, max: number) => z.number().int().min(min).max(max).nullish()

const Settings = z.object({
  batch_size: optionalInt(1, 100),
  max_retries: optionalInt(0, 100),
  max_wait_time_ms: optionalInt(0, 60_000),
  max_concurrency: optionalInt(1, 250),
  retry_delay: optionalInt(0, DELAY_SECONDS_MAX),
  visibility_timeout_ms: optionalInt(0, 12 * HOUR_MS),
})

const Input = z.object({
  type: z.enum(['worker', 'http_pull']),
  script_name: z.string().optional(),
  dead_letter_queue: z.string().nullish(),
  settings: Settings.nullish(),
})

/** The consumer of a queue: a worker that receives its messages, or HTTP clients that pull them. */
export function consumerRoutes(cloud: QueuesCloud): Hono<ApiEnv> {
  const { store } = cloud
  const saveConsumer = (c: Context<ApiEnv>, queue: Queue, consumer: Consumer) => {
    putConsumer(store, consumer)
    cloud.queues.check(queue.id)
    return respond(c, toConsumer(store, queue, consumer))
  }
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const consumer = readConsumer(store, queue.id)
      return respond(c, consumer === null ? [] : [toConsumer(store, queue, consumer)])
    })
    .post('/', async (c) => {
      const queue = findQueueOrRefuse(cloud, c)
      const input = await readBody(c, Input)
      if (readConsumer(store, queue.id) !== null)
        throw new ApiFailure(409, 11004, `Queue '${queue.name}' already has a consumer.`)
      const head = { id: hexId(), queueId: queue.id, createdAt: cloud.now() }
      return saveConsumer(c, queue, { ...head, ...fromInput(cloud, c, input) })
    })
    .get('/:consumer', (c) => {
      const { queue, consumer } = findOrRefuse(cloud, c)
      return respond(c, toConsumer(store, queue, consumer))
    })
    .put('/:consumer', async (c) => {
      const { queue, consumer } = findOrRefuse(cloud, c)
      return saveConsumer(c, queue, { ...consumer, ...fromInput(cloud, c, await readBody(c, Input)) })
    })
    .delete('/:consumer', (c) => {
      const { queue, consumer } = findOrRefuse(cloud, c)
      deleteConsumer(store, consumer)
      cloud.queues.check(queue.id)
      return respond(c, null)
    })
}

function findOrRefuse(cloud: QueuesCloud, c: Context<ApiEnv>): { queue: Queue; consumer: Consumer } {
  const queue = findQueueOrRefuse(cloud, c)
  const consumer = readConsumer(cloud.store, queue.id)
  if (consumer === null || consumer.id !== c.req.param('consumer'))
    throw new ApiFailure(404, 11003, 'The specified consumer does not exist.')
  return { queue, consumer }
}

function fromInput(
  { store }: QueuesCloud,
  c: Context<ApiEnv>,
  input: z.output<typeof Input>,
): Pick<Consumer, 'type' | 'scriptId' | 'deadLetterQueue' | 'settings'> {
  const script =
    input.type === 'worker' ? findScript(store, c.get('account').id, input.script_name ?? '') : null
  if (input.type === 'worker' && script === null) throw noSuchScript()
  if (script !== null && readActiveVersion(store, script.id)?.content.handlers.includes('queue') !== true)
    throw noQueueHandler()
  return {
    type: input.type,
    scriptId: script?.id ?? null,
    deadLetterQueue: input.dead_letter_queue || null,
    settings: withDefaults(input.settings ?? {}),
  }
}

function withDefaults(input: z.output<typeof Settings>): ConsumerSettings {
  return {
    batch_size: input.batch_size ?? 10,
    max_retries: input.max_retries ?? 3,
    max_wait_time_ms: input.max_wait_time_ms ?? 5000,
    max_concurrency: input.max_concurrency ?? null,
    retry_delay: input.retry_delay ?? 0,
    visibility_timeout_ms: input.visibility_timeout_ms ?? 30_000,
  }
}
