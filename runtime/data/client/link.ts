import ReconnectingSocket from 'partysocket/ws'
import type { FrameDown, FrameUp } from '../frames.ts'

const PING_EVERY_MS = 25_000
const PONG_WITHIN_MS = 10_000

export type LinkStatus = 'connecting' | 'live' | 'stale'

interface LinkOptions {
  url: () => string
  onFrame(frame: FrameDown): void
  onStatus(status: LinkStatus): void
}

/** The one socket of a page: reconnects with growing pauses and notices a connection that died silently. */
export class Link {
  readonly #socket: ReconnectingSocket
  readonly #options: LinkOptions
  #ping: ReturnType<typeof setInterval> | undefined
  #pong: ReturnType<typeof setTimeout> | undefined

  constructor(options: LinkOptions) {
    this.#options = options
    this.#socket = new ReconnectingSocket(options.url, [], {
      maxEnqueuedMessages: 0,
      minReconnectionDelay: 300 + Math.random() * 700,
      maxReconnectionDelay: 10_000,
      connectionTimeout: 8000,
    })
    this.#socket.addEventListener('message', (event) => this.#receive(String(event.data)))
    this.#socket.addEventListener('close', () => this.#lost())
    this.#socket.addEventListener('error', () => this.#lost())
    globalThis.addEventListener('offline', () => this.#socket.reconnect())
    globalThis.addEventListener('online', () => this.#socket.reconnect())
  }

  send(frame: FrameUp): void {
    this.#socket.send(JSON.stringify(frame))
  }

  #receive(text: string): void {
    if (text === 'pong') return clearTimeout(this.#pong)
    const frame = JSON.parse(text) as FrameDown
    this.#options.onFrame(frame)
    if (frame.type !== 'hello') return
    this.#options.onStatus('live')
    this.#stopWatch()
    this.#ping = setInterval(() => this.#check(), PING_EVERY_MS)
  }

  #check(): void {
    this.#socket.send('ping')
    this.#pong = setTimeout(() => this.#socket.reconnect(), PONG_WITHIN_MS)
  }

  #lost(): void {
    this.#stopWatch()
    this.#options.onStatus('stale')
  }

  #stopWatch(): void {
    clearInterval(this.#ping)
    clearTimeout(this.#pong)
  }
}
