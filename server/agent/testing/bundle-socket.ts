import { once } from 'node:events'
import type { RunningApp } from './bundle.ts'

export interface Frame {
  type: string
  [key: string]: unknown
}

export interface TestSocket {
  /** Resolves with the next frame of one of these types; frames of other types before it are skipped. */
  next(...types: string[]): Promise<Frame>
  send(frame: object): void
  close(): void
  readonly closed: Promise<number>
}

interface SocketOptions {
  origin?: string
  cookie?: string
  headers?: Record<string, string>
  /** Called immediately with each frame, so that the frames that `onFrame` sends are under way when the server closes the socket. */
  onFrame?: (frame: Frame, send: (frame: object) => void) => void
}

/** Opens the data socket. With `after`, the server first sends the changes after this sequence number. */
export function openSocket(
  app: RunningApp,
  options: SocketOptions & { after?: number; collections?: string[]; partition?: string } = {},
): Promise<TestSocket> {
  const { after, collections = ['plants', 'rooms', 'audits'], partition } = options
  return openAt(app, '/_app/data/socket', { data: collections.join(','), after, partition }, options)
}

export function openRoom(
  app: RunningApp,
  room: string,
  options: SocketOptions & { partition?: string; since?: number; data?: string; after?: number } = {},
): Promise<TestSocket> {
  const { partition, since, data, after } = options
  return openAt(app, `/_app/live/${room}`, { partition, since, data, after }, options)
}

async function openAt(
  app: RunningApp,
  path: string,
  query: Record<string, string | number | undefined>,
  options: SocketOptions,
): Promise<TestSocket> {
  const url = new URL(path, app.url)
  url.protocol = 'ws:'
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, String(value))
  const { origin, cookie } = options
  const headers = {
    ...options.headers,
    ...(origin !== undefined && { origin }),
    ...(cookie !== undefined && { cookie }),
  }
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
