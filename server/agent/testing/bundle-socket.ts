import { once } from 'node:events'
import type { RunningApp } from './bundle.ts'

interface Frame {
  type: string
  [key: string]: unknown
}

/** A live socket of an app, as a test reads it. */
export interface TestSocket {
  /** The next frame of this type; frames of other types before it are passed over. */
  next(type: string): Promise<Frame>
  send(frame: object): void
  close(): void
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
  socket.addEventListener('message', (event) => {
    frames.push(JSON.parse(String(event.data)) as Frame)
    wake()
  })
  await Promise.race([
    once(socket, 'open'),
    once(socket, 'error').then(() => Promise.reject(new Error('the socket was refused'))),
  ])
  return {
    async next(type) {
      for (;;) {
        const frame = frames.shift()
        if (frame?.type === type) return frame
        if (frame === undefined) await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    send: (frame) => socket.send(JSON.stringify(frame)),
    close: () => socket.close(),
  }
}
