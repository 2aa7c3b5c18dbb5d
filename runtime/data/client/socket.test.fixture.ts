import { getEventListeners, setMaxListeners } from 'node:events'
import { mock } from 'node:test'
import type { ClientFrame } from '../frames.ts'

/** A WebSocket whose events the test fires. */
export class FakeSocket extends EventTarget {
  static all: FakeSocket[] = []
  readonly url: string
  readonly sent: ClientFrame[] = []
  pings = 0
  isClosed = false
  /** False until the first frame. Sending before that throws, as in a browser. */
  #isOpen = false

  constructor(url: string) {
    super()
    this.url = url
    FakeSocket.all.push(this)
  }

  static get last(): FakeSocket {
    return FakeSocket.all.at(-1)!
  }

  send(text: string): void {
    if (!this.#isOpen) throw new DOMException('Still in CONNECTING state.', 'InvalidStateError')
    if (text === 'ping') this.pings++
    else this.sent.push(JSON.parse(text) as ClientFrame)
  }

  close(): void {
    this.isClosed = true
  }

  receive(frame: object | 'pong'): void {
    this.#isOpen = true
    const data = frame === 'pong' ? frame : JSON.stringify(frame)
    this.dispatchEvent(new MessageEvent('message', { data }))
  }

  fire(event: 'close' | 'error'): void {
    this.dispatchEvent(new Event(event))
  }
}

const replaced = ['WebSocket', 'fetch', 'location', 'addEventListener'] as const
let former: Map<string, PropertyDescriptor | undefined> | null = null
let pageEvents = new EventTarget()

/** Replaces the globals that the sockets of a page use, and `setTimeout`, until `closeFakePage`. */
export function openFakePage(fetch: (path: string, init: RequestInit) => Promise<Response>): void {
  FakeSocket.all = []
  pageEvents = new EventTarget()
  setMaxListeners(0, pageEvents)
  former ??= new Map(replaced.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]))
  Object.assign(globalThis, {
    WebSocket: FakeSocket,
    fetch,
    location: new URL('http://app.test/'),
    addEventListener: pageEvents.addEventListener.bind(pageEvents),
  })
  mock.timers.enable({ apis: ['setTimeout'] })
}

export function closeFakePage(): void {
  mock.timers.reset()
  for (const [name, descriptor] of former ?? [])
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
    else Object.defineProperty(globalThis, name, descriptor)
  former = null
}

/** Fires an event of the window. */
export const firePageEvent = (name: 'online' | 'offline'): void =>
  void pageEvents.dispatchEvent(new Event(name))

export const countPageListeners = (): number =>
  ['online', 'offline'].flatMap((name) => getEventListeners(pageEvents, name)).length
