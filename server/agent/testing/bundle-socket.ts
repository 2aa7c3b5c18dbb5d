import { once } from 'node:events'
import type { RunningApp } from './bundle.ts'

export interface Frame {
  type: string
  [key: string]: unknown
}

/** A live socket of an app, as a test reads it. */
export interface TestSocket {
  /** The next frame of one of these types; frames of other types before it are passed over. */
  next(...types: string[]): Promise<Frame>
  send(frame: object): void
  close(): void
  /** The code with which the server closed it. */
  readonly closed: Promise<number>
}

/** Opens the data socket; `after` asks for what was missed since then. */
export async function openSocket(
  app: RunningApp,
  options: {
    after?: number
    collections?: string[]
    origin?: string
    cookie?: string
    partition?: string
    /** Receives a frame before the next one is read, so that what it sends is under way when a socket is closed. */
    onFrame?: (frame: Frame, send: (frame: object) => void) => void
  } = {},
): Promise<TestSocket> {
  const url = new URL('/_app/data/socket', app.url)
  url.protocol = 'ws:'
  url.searchParams.set('data', (options.collections ?? ['plants', 'rooms', 'audits']).join(','))
  if (options.after !== undefined) url.searchParams.set('after', String(options.after))
  if (options.partition !== undefined) url.searchParams.set('partition', options.partition)
  const { origin, cookie } = options
  const headers = { ...(origin !== undefined && { origin }), ...(cookie !== undefined && { cookie }) }
  const socket = new WebSocket(url, { headers })
  const frames: Frame[] = []
  let wake = () => {}
  const send = (frame: object) => socket.send(JSON.stringify(frame))
  socket.addEventListener('message', (event) => {
    const frame = JSON.parse(String(event.data)) as Frame
    options.onFrame?.(frame, send)
    frames.push(frame)
    wake()
  })
  const closed = new Promise<number>((resolve) =>
    socket.addEventListener('close', ({ code }) => resolve(code)),
  )
  await Promise.race([
    once(socket, 'open'),
    once(socket, 'error').then(() => Promise.reject(new Error('the socket was refused'))),
  ])
  return {
    async next(...types) {
      for (;;) {
        const frame = frames.shift()
        if (frame !== undefined && types.includes(frame.type)) return frame
        if (frame === undefined) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    send,
    close: () => socket.close(),
    closed,
  }
}
