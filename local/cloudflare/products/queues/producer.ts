import * as z from 'zod'
import type { Store } from '../../../world/store.ts'
import type { RpcCall } from '../../workerd/rpc.ts'
import { insertMessages, type MessageFormat, type NewMessage, readMetrics } from './messages.ts'
import { findQueue, type Queue } from './store.ts'

/** Requests of the runtime's queue binding: one message as bytes, several as JSON, or a query for the backlog. */

export const MESSAGE_BYTES_MAX = 128 * 1000
export const BATCH_BYTES_MAX = 256 * 1000
const BATCH_COUNT_MAX = 100
export const DELAY_SECONDS_MAX = 86_400
const REFUSAL_CODE = 10023
const CONTENT_TYPES: readonly MessageFormat[] = ['text', 'json', 'bytes', 'v8']

interface ProducerDeps {
  store: Store
  now(): number
  /** Called when a queue has new messages. */
  check(queueId: string): void
}

class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Returns a success only when the messages are on disk. */
export async function handleProducer(deps: ProducerDeps, call: RpcCall): Promise<Response> {
  const { accountId, queue: name } = call.props as { accountId: string; queue: string }
  const queue = findQueue(deps.store, accountId, name)
  if (queue === null) return respondWithRefusal(new Refusal(404, `Queue ${name} does not exist.`))
  if (call.path === '/metrics') return Response.json(metricsOf(deps.store, queue))
  try {
    const messages = call.path === '/batch' ? await readBatch(call) : [await readMessage(call)]
    storeMessages(deps, queue, messages, readDelay(call.headers) ?? delayOfBinding(call))
    return Response.json({ metadata: { metrics: metricsOf(deps.store, queue) } })
  } catch (error) {
    if (error instanceof Refusal) return respondWithRefusal(error)
    throw error
  }
}

export function storeMessages(
  { store, now, check }: ProducerDeps,
  queue: Queue,
  messages: NewMessage[],
  delaySeconds: number | undefined,
): void {
  insertMessages(store, queue, messages, now(), delaySeconds)
  check(queue.id)
}

// The runtime builds the error that an app sees from these two headers.
const respondWithRefusal = ({ status, message }: Refusal) =>
  new Response(message, {
    status,
    headers: { 'CF-Queues-Error-Code': String(REFUSAL_CODE), 'CF-Queues-Error-Cause': message },
  })

function metricsOf(store: Store, queue: Queue) {
  const { count, bytes, oldestAt } = readMetrics(store, queue.id)
  return { backlogCount: count, backlogBytes: bytes, oldestMessageTimestamp: oldestAt }
}

async function readMessage(call: RpcCall): Promise<NewMessage> {
  const body = await call.bytes()
  checkSize(body)
  return { format: readFormat(call.headers.get('x-msg-fmt') ?? 'v8'), body }
}

const Batch = z.object({
  messages: z.array(
    z.object({
      contentType: z.string().optional(),
      delaySecs: z.number().optional(),
      body: z.string(),
    }),
  ),
})

async function readBatch(call: RpcCall): Promise<NewMessage[]> {
  const { messages } = Batch.parse(JSON.parse(new TextDecoder().decode(await call.bytes())))
  if (messages.length > BATCH_COUNT_MAX)
    throw new Refusal(413, `batch message count of ${messages.length} exceeds limit of ${BATCH_COUNT_MAX}`)
  const read = messages.map((message) => {
    const body = Buffer.from(message.body, 'base64')
    checkSize(body)
    return {
      format: readFormat(message.contentType ?? 'v8'),
      body,
      delaySeconds: checkDelay(message.delaySecs),
    }
  })
  const size = read.reduce((sum, { body }) => sum + body.byteLength, 0)
  if (size > BATCH_BYTES_MAX)
    throw new Refusal(413, `batch size of ${size} bytes exceeds limit of ${BATCH_BYTES_MAX}`)
  return read
}

function checkSize(body: Uint8Array): void {
  if (body.byteLength > MESSAGE_BYTES_MAX)
    throw new Refusal(413, `message length of ${body.byteLength} bytes exceeds limit of ${MESSAGE_BYTES_MAX}`)
}

function readFormat(format: string): MessageFormat {
  const known = CONTENT_TYPES.find((type) => type === format)
  if (known === undefined) throw new Refusal(400, `message content type ${format} is invalid`)
  return known
}

function readDelay(headers: Headers): number | undefined {
  const text = headers.get('x-msg-delay-secs')
  return text === null ? undefined : checkDelay(Number(text))
}

function delayOfBinding({ props }: RpcCall): number | undefined {
  return checkDelay(props['delaySeconds'])
}

function checkDelay(seconds: unknown): number | undefined {
  if (seconds === undefined) return undefined
  if (
    typeof seconds === 'number' &&
    Number.isInteger(seconds) &&
    seconds >= 0 &&
    seconds <= DELAY_SECONDS_MAX
  )
    return seconds
  const given = typeof seconds === 'number' ? String(seconds) : JSON.stringify(seconds)
  throw new Refusal(400, `message delay ${given} is invalid`)
}
