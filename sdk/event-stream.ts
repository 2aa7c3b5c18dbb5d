import { EventSourceParserStream } from 'eventsource-parser/stream'
import { ConnectionError } from './errors.ts'
import { readFailure } from './request.ts'

export interface EventStreamOptions {
  url: string
  signal: AbortSignal
  fetch?: (request: Request) => Promise<Response>
  headers?: Record<string, string>
  /**
   * A connection that sends no data for this many milliseconds counts as dropped; 35,000 by default. The service sends a
   * heartbeat every 15 s.
   */
  silenceMs?: number
  /** Called when the service has accepted the request, before the first event. */
  onAccepted?: () => void
}

/** Thrown when a connection ends before the stream is complete. */
export class StreamInterruptedError extends Error {}

/**
 * Yields the parsed events of one connection to a streaming route, until the connection ends. Throws a `SlipwayError` when the service
 * refuses the request or cannot be reached. A caller must check whether the last event was the end of the stream.
 */
export async function* readEvents<T>(options: EventStreamOptions, body: object): AsyncGenerator<T> {
  const send = options.fetch ?? ((request: Request) => fetch(request))
  const connection = new AbortController()
  const request = new Request(options.url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream', ...options.headers },
    body: JSON.stringify(body),
    signal: AbortSignal.any([options.signal, connection.signal]),
  })
  const alarm = startSilenceTimer(options.silenceMs ?? 35_000, () =>
    connection.abort(new StreamInterruptedError('silence')),
  )
  try {
    const response = await send(request).catch((cause: unknown) => {
      throw new ConnectionError('The service did not answer.', { cause })
    })
    if (!response.ok)
      throw await readFailure(response, { method: 'POST', path: new URL(request.url).pathname })
    if (!response.body) throw new StreamInterruptedError('no body')
    options.onAccepted?.()
    // Reset the timer on every byte, because heartbeats are comments, which the parser drops.
    const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        alarm.reset()
        controller.enqueue(chunk)
      },
    })
    const messages = response.body
      .pipeThrough(heard)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    // Not validated, like the responses of the generated client: the service keeps to its contract.
    for await (const message of readAll(messages, connection.signal)) yield JSON.parse(message.data) as T
  } finally {
    alarm.stop()
    connection.abort()
  }
}

/** Yields the chunks of a stream. Safari's streams have no async iterator yet. */
async function* readAll<T>(stream: ReadableStream<T>, signal: AbortSignal): AsyncGenerator<T> {
  const reader = stream.getReader()
  // Ends a body that sends nothing, even when `fetch` ignores the abort.
  signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined), { once: true })
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      yield value
    }
  } finally {
    reader.cancel().catch(() => undefined)
  }
}

function startSilenceTimer(ms: number, ring: () => void): { reset(): void; stop(): void } {
  let timer = setTimeout(ring, ms)
  return {
    reset() {
      clearTimeout(timer)
      timer = setTimeout(ring, ms)
    },
    stop: () => clearTimeout(timer),
  }
}
