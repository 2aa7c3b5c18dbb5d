import type { SseBytes, SseMessage } from './endpoint.ts'
import { isRefusal } from './errors.ts'

/** How often an idle stream sends a comment, so that proxies and clients do not close the stream. */
const HEARTBEAT_MS = 15_000
/** Access is checked again at every second heartbeat. */
const BEATS_PER_RECHECK = 2

const textEncoder = new TextEncoder()
const HEARTBEAT_BYTES = textEncoder.encode(':\n\n')

/**
 * Sends server-sent events as fast as the client reads them: the next message is requested only when there is room for
 * it, so nothing is buffered for a slow client. When `recheck` throws a refusal, the stream ends with the event that
 * `onError` returns for the refusal.
 */
export function sseResponse(
  messages: AsyncIterable<SseMessage | SseBytes>,
  options: {
    requestId: string
    recheck: (() => Promise<unknown>) | null
    /** Called when the client has disconnected, because the source may be waiting for its next message. */
    onLeft: () => void
    onError: (error: unknown) => SseMessage
  },
): Response {
  const { recheck, onError } = options
  const iterator = messages[Symbol.asyncIterator]()
  let heartbeat: NodeJS.Timeout | undefined
  let isOver = false
  const stopHeartbeat = () => {
    isOver = true
    clearInterval(heartbeat)
  }
  type Controller = ReadableStreamDefaultController<Uint8Array>
  const endStream = (controller: Controller, last?: SseMessage) => {
    if (isOver) return
    stopHeartbeat()
    if (last !== undefined) controller.enqueue(encodeMessages([last]))
    controller.close()
  }
  const sendHeartbeat = (controller: Controller, beats: number) => {
    controller.enqueue(HEARTBEAT_BYTES)
    if (recheck === null || beats % BEATS_PER_RECHECK !== 0) return
    recheck().catch((error: unknown) => {
      // A check that could not be made, for example because the database is unavailable, does not end the stream.
      if (isOver || !isRefusal(error)) return
      endStream(controller, onError(error))
      options.onLeft()
      // The stream has ended, so errors during its clean-up are ignored; they must not end the process.
      iterator.return?.().catch(() => undefined)
    })
  }
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      let beats = 0
      heartbeat = setInterval(() => sendHeartbeat(controller, ++beats), HEARTBEAT_MS)
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (isOver) return
        if (next.done === true) return endStream(controller)
        const { value } = next
        controller.enqueue('bytes' in value ? value.bytes : encodeMessages([value]))
      } catch (error) {
        if (!isOver) endStream(controller, onError(error))
      }
    },
    async cancel() {
      stopHeartbeat()
      options.onLeft()
      await iterator.return?.()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-content-type-options': 'nosniff',
      'x-accel-buffering': 'no',
      'x-request-id': options.requestId,
    },
  })
}

/**
 * Encodes messages in the format of server-sent events. A stream with many readers encodes each message only once and
 * sends the bytes to all of them.
 */
export function encodeMessages(messages: readonly SseMessage[]): Uint8Array {
  return textEncoder.encode(messages.map(formatMessage).join(''))
}

function formatMessage(message: SseMessage): string {
  return message.id === undefined
    ? `data: ${message.data}\n\n`
    : `id: ${message.id}\ndata: ${message.data}\n\n`
}
