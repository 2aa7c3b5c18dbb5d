import type { SseMessage } from './endpoint.ts'

/** Idle streams send a comment this often, so that proxies and readers know they are alive. */
const HEARTBEAT_MS = 15_000

/**
 * Answers with server-sent events at the reader's own pace: the next message is asked for only when the
 * reader has room, so a slow reader buffers nothing here.
 */
export function sseResponse(
  messages: AsyncIterable<SseMessage>,
  options: { requestId: string; onError: (error: unknown) => SseMessage },
): Response {
  const encoder = new TextEncoder()
  const iterator = messages[Symbol.asyncIterator]()
  let heartbeat: NodeJS.Timeout | undefined
  const stop = () => clearInterval(heartbeat)
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      heartbeat = setInterval(() => controller.enqueue(encoder.encode(':\n\n')), HEARTBEAT_MS)
    },
    async pull(controller) {
      try {
        const next = await iterator.next()
        if (next.done !== true) return controller.enqueue(encoder.encode(formatMessage(next.value)))
      } catch (error) {
        controller.enqueue(encoder.encode(formatMessage(options.onError(error))))
      }
      stop()
      controller.close()
    },
    async cancel() {
      stop()
      await iterator.return?.()
    },
  })
  return new Response(stream, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-store, no-transform',
      'x-accel-buffering': 'no',
      'x-request-id': options.requestId,
    },
  })
}

function formatMessage(message: SseMessage): string {
  return message.id === undefined
    ? `data: ${message.data}\n\n`
    : `id: ${message.id}\ndata: ${message.data}\n\n`
}
