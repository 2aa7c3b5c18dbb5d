import type { JsonText } from '../../kernel/json-text.ts'

const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000
const OPEN_WITHIN_MS = 8000
const RETRY_MS = 400
const RETRY_MAX_MS = 10_000

export type SocketStatus = 'connecting' | 'live' | 'stale'

interface SocketOptions<Down> {
  url: () => string
  onFrame(frame: Down): void
  onStatus(status: SocketStatus): void
}

/** A page's WebSocket. Reconnects with increasing pauses, and detects a connection that was lost without a close event. */
export class ReconnectingSocket<Down extends { type: string }> {
  readonly #options: SocketOptions<Down>
  #socket: WebSocket | null = null
  #failures = 0
  #timers: ReturnType<typeof setTimeout>[] = []
  readonly #closing = new AbortController()

  constructor(options: SocketOptions<Down>) {
    this.#options = options
    const { signal } = this.#closing
    const goOnline = () => {
      // Make the page stale first: `send` throws until the new socket is open.
      this.#reconnectLater()
      this.#openSocket()
    }
    globalThis.addEventListener('online', goOnline, { signal })
    globalThis.addEventListener('offline', () => this.#reconnectLater(), { signal })
    this.#openSocket()
  }

  send(frame: object): void {
    this.#socket?.send(JSON.stringify(frame))
  }

  /** Closes the socket permanently: it does not reconnect. */
  close(): void {
    this.#closing.abort()
    this.#closeSocket()
  }

  #openSocket(): void {
    if (this.#closing.signal.aborted) return
    this.#closeSocket()
    const socket = new WebSocket(this.#options.url())
    this.#socket = socket
    // Ignores events of a socket that has been replaced.
    const ifCurrent =
      <E>(act: (event: E) => void) =>
      (event: E) => {
        if (this.#socket === socket) act(event)
      }
    socket.addEventListener(
      'message',
      ifCurrent((event: MessageEvent<JsonText<Down> | 'pong'>) => this.#receiveFrame(event.data)),
    )
    socket.addEventListener(
      'close',
      ifCurrent(() => this.#reconnectLater()),
    )
    socket.addEventListener(
      'error',
      ifCurrent(() => this.#reconnectLater()),
    )
    this.#setTimer(OPEN_WITHIN_MS, () => this.#reconnectLater())
  }

  #receiveFrame(text: JsonText<Down> | 'pong'): void {
    if (text === 'pong') return this.#watchSilence()
    const frame = JSON.parse(text)
    // `hello` is the first frame for records, `room` the first frame for a room.
    if (frame.type === 'hello' || frame.type === 'room') {
      this.#failures = 0
      this.#watchSilence()
      this.#options.onStatus('live')
    }
    this.#options.onFrame(frame)
  }

  #watchSilence(): void {
    this.#clearTimers()
    this.#setTimer(PING_EVERY_MS, () => {
      this.#socket?.send('ping')
      this.#setTimer(PONG_WITHIN_MS, () => this.#reconnectLater())
    })
  }

  #reconnectLater(): void {
    if (this.#closing.signal.aborted) return
    this.#closeSocket()
    this.#options.onStatus('stale')
    const waitMs = Math.min(RETRY_MAX_MS, RETRY_MS * 2 ** this.#failures++)
    // A random pause, so that pages which a restart disconnected do not all reconnect at once.
    this.#setTimer(waitMs * (0.5 + Math.random()), () => this.#openSocket())
  }

  #closeSocket(): void {
    this.#clearTimers()
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #setTimer(ms: number, act: () => void): void {
    this.#timers.push(setTimeout(act, ms))
  }

  #clearTimers(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }
}
