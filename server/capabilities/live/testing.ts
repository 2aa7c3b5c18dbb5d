import type { CallRequests } from '@slipway/runtime/call/types.ts'
import { type Failure, fromFailure } from '@slipway/runtime/kernel/errors.ts'
import type { Peer, RoomServerFrame, RoomMessage } from '@slipway/runtime/live/types.ts'
import { Agent, WebSocket } from 'undici'
import { lookupWithLocalhost } from '../../cloudflare/fetch.ts'
import { until } from '../../releases/testing.ts'

/** An open page in a room of a deployed app. When its socket closes, the page reconnects and continues after the last message received. */
export class RoomPage {
  readonly #url: URL
  readonly #cookie: string
  readonly #agent = new Agent({ connect: { lookup: lookupWithLocalhost } })
  #socket: WebSocket | null = null
  #isClosed = false
  readonly #pending = new Map<string, string>()
  readonly #asked = new Map<string, { resolve(value: unknown): void; reject(failure: Failure): void }>()
  #seq = 0
  /** How often the page has entered the room, reconnects included. */
  entered = 0
  me = ''
  peers: Peer[] = []
  readonly heard: unknown[] = []

  private constructor(appUrl: string, room: string, cookie: string) {
    this.#url = new URL(`/_app/live/${room}`, appUrl)
    this.#url.protocol = 'ws:'
    this.#cookie = cookie
    this.#connect()
  }

  /** Resolves once the page is in the room. */
  static async open(appUrl: string, room: string, cookie = ''): Promise<RoomPage> {
    const page = new RoomPage(appUrl, room, cookie)
    await until(async () => page.entered > 0)
    return page
  }

  /** Sends a message, and repeats it after each reconnect until the room acknowledges it. */
  say(data: unknown): void {
    const ref = crypto.randomUUID()
    const frame = JSON.stringify({ type: 'broadcast', ref, event: 'say', data })
    this.#pending.set(ref, frame)
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame)
  }

  /**
   * Sends a request about the room's audio and video call. Rejects with the error code that the room
   * returned.
   */
  ask<Kind extends keyof CallRequests>(
    kind: Kind,
    ask: CallRequests[Kind]['ask'],
  ): Promise<CallRequests[Kind]['answer']> {
    const ref = crypto.randomUUID()
    const { promise, resolve, reject } = Promise.withResolvers<unknown>()
    this.#asked.set(ref, { resolve, reject: (failure) => reject(fromFailure(failure)) })
    this.#socket?.send(JSON.stringify({ type: 'call', ref, kind, ask }))
    return promise as Promise<CallRequests[Kind]['answer']>
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#socket?.close()
    await this.#agent.destroy()
  }

  #connect(): void {
    if (this.#isClosed) return
    this.#url.searchParams.set('since', String(this.#seq))
    const socket = new WebSocket(this.#url, { headers: { cookie: this.#cookie }, dispatcher: this.#agent })
    this.#socket = socket
    socket.addEventListener('message', ({ data }) =>
      this.#receive(JSON.parse(String(data)) as RoomServerFrame),
    )
    socket.addEventListener('close', () => setTimeout(() => this.#connect(), 100))
  }

  #receive(frame: RoomServerFrame): void {
    if (frame.type === 'room') {
      this.entered++
      this.me = frame.me
      this.peers = frame.peers
      for (const pending of this.#pending.values()) this.#socket?.send(pending)
    } else if (frame.type === 'call') {
      this.#asked.get(frame.ref)?.resolve(frame.value)
    } else if (frame.type === 'refused') {
      this.#asked.get(frame.ref)?.reject(frame)
    } else if (frame.type === 'messages') {
      this.#pending.delete(frame.ref ?? '')
      for (const message of frame.items) this.#hear(message)
    }
  }

  #hear({ seq, data }: RoomMessage): void {
    if (seq <= this.#seq) return
    this.#seq = seq
    this.heard.push(data)
  }
}
