import { Agent, request } from 'node:http'
import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { dirname } from 'node:path'
import { requestHeaders, responseHeaders } from './headers.ts'
import { RequestSlots } from './request-slots.ts'

/**
 * Thrown when the worker's process did not accept the connection, or ended before the first byte of a
 * response.
 */
export class WorkerUnreachableError extends Error {
  /** The status to respond with when the caller is at fault; null: 502. */
  readonly status: number | null
  /** False when the connection was not accepted, so no code can have run. */
  readonly wasSent: boolean
  constructor(message: string, options: { status?: number; wasSent?: boolean } = {}) {
    super(message)
    this.status = options.status ?? null
    this.wasSent = options.wasSent ?? true
  }
}

interface RouterTarget {
  socket: string
  generation: number
  isTrusted: (address: string) => boolean
  /** Called when the response is an event stream, because a restart does not wait for its end. */
  onStream(): void
}

const BODY_BYTES_MAX = 100 * 1024 * 1024
// workerd closes idle connections after 5 s; this timeout must be shorter.
const IDLE_MS = 3000
const POOLS_MAX = 200
/** Connections per process: workerd opens about four files for each connection and exits at its limit of open files, often 4,096. */
const SOCKETS_MAX = 800

/**
 * A connection to a worker. When the worker responds and closes without reading the whole body, a write fails, and Node would then discard
 * the response that it has not read yet. This class therefore reports failed writes as successful, and closes the socket after everything
 * has been read.
 */
class WorkerSocket extends Socket {
  /** True once a write has failed because the worker has closed the connection. */
  isOver = false

  override _write(...[chunk, encoding, done]: Parameters<Socket['_write']>): void {
    super._write(chunk, encoding, (error) => done(this.#ignoreBrokenPipe(error)))
  }

  override _writev(...[chunks, done]: Parameters<NonNullable<Socket['_writev']>>): void {
    super._writev?.(chunks, (error) => done(this.#ignoreBrokenPipe(error)))
  }

  #ignoreBrokenPipe(error: NodeJS.ErrnoException | null | undefined) {
    if (error?.code !== 'EPIPE') return error
    this.isOver = true
    return null
  }
}

class WorkerAgent extends Agent {
  override createConnection({ path }: { path?: string | null | undefined }): Socket {
    return new WorkerSocket().connect({ path: path ?? '' })
  }

  /** Returns whether another request may reuse the connection. */
  override keepSocketAlive(socket: Duplex): boolean {
    super.keepSocketAlive(socket)
    return !(socket as WorkerSocket).isOver
  }
}

interface ConnectionPool {
  generation: number
  agent: Agent
  slots: RequestSlots
}

const connectionPools = new Map<string, ConnectionPool>()

/** All sockets of a process are in one folder and share a pool. A new process gets a new pool. */
function poolFor(socket: string, generation: number): ConnectionPool {
  const folder = dirname(socket)
  const known = connectionPools.get(folder)
  if (known?.generation === generation) return known
  known?.agent.destroy()
  if (connectionPools.size > POOLS_MAX) forgetUnused()
  const agent = new WorkerAgent({ keepAlive: true, timeout: IDLE_MS, maxTotalSockets: SOCKETS_MAX })
  const pool = { generation, agent, slots: new RequestSlots(SOCKETS_MAX) }
  connectionPools.set(folder, pool)
  return pool
}

/** Deletes the pools of processes that stopped long ago. */
function forgetUnused(): void {
  for (const [folder, { agent }] of connectionPools) {
    if (Object.keys(agent.sockets).length > 0) continue
    agent.destroy()
    connectionPools.delete(folder)
  }
}

/**
 * Forwards a request to a worker, and the response to the caller. Throws `WorkerUnreachableError` when the worker sent
 * no response, and `WaitRefusedError` when the process has too many open requests.
 */
export async function forwardRequest(
  req: IncomingMessage,
  res: ServerResponse,
  target: RouterTarget,
): Promise<void> {
  if (Number(req.headers['content-length'] ?? 0) > BODY_BYTES_MAX) {
    throw new WorkerUnreachableError('the body is too large', { status: 413 })
  }
  const pool = poolFor(target.socket, target.generation)
  await pool.slots.take()
  if (res.closed) {
    pool.slots.release()
    return
  }
  await new Promise<void>((resolve, reject) => {
    const outgoing = openRequest(req, target, pool)
    let response: IncomingMessage | null = null
    outgoing.once('response', (incoming) => {
      response = incoming
      forwardResponse(incoming, res, target.onStream)
      incoming.once('close', resolve)
    })
    outgoing.once('error', (error) => {
      if (response === null) return reject(toUnreachable(error))
      // Break the connection: otherwise the caller would take the partial response for a complete one.
      if (!response.complete) res.destroy()
      resolve()
    })
    res.once('close', () => {
      if (!res.writableEnded) outgoing.destroy()
    })
    sendBody(req, outgoing)
  })
}

/**
 * Starts a request to the worker. The caller must have taken a slot, which is released when the request has closed or cannot be created.
 */
function openRequest(
  req: IncomingMessage,
  target: RouterTarget,
  { agent, slots }: ConnectionPool,
): ClientRequest {
  try {
    const outgoing = request({
      socketPath: target.socket,
      method: req.method ?? 'GET',
      path: req.url ?? '/',
      headers: requestHeaders(req, target.isTrusted, { keepUpgrade: false }),
      setHost: false,
      agent,
    })
    outgoing.once('close', () => slots.release())
    return outgoing
  } catch (error) {
    slots.release()
    throw error
  }
}

function toUnreachable(error: NodeJS.ErrnoException): WorkerUnreachableError {
  if (error instanceof WorkerUnreachableError) return error
  return new WorkerUnreachableError(error.message, {
    wasSent: error.code !== 'ECONNREFUSED' && error.code !== 'ENOENT',
  })
}

function sendBody(req: IncomingMessage, outgoing: ClientRequest): void {
  const isBodyless =
    req.headers['content-length'] === undefined && req.headers['transfer-encoding'] === undefined
  if (isBodyless) {
    outgoing.end()
    return
  }
  let bytes = 0
  req.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength
    if (bytes > BODY_BYTES_MAX)
      outgoing.destroy(new WorkerUnreachableError('the body is too large', { status: 413 }))
  })
  req.pipe(outgoing)
  // When the worker has responded and closed, keep reading the request: many callers read the response only after they have sent the whole
  // body.
  outgoing.once('close', () => req.resume())
}

function forwardResponse(incoming: IncomingMessage, res: ServerResponse, onStream: () => void): void {
  if ((incoming.headers['content-type'] ?? '').startsWith('text/event-stream')) onStream()
  res.writeHead(incoming.statusCode ?? 502, incoming.statusMessage, responseHeaders(incoming.rawHeaders))
  // Without this call, events would wait until the buffer is full.
  res.flushHeaders()
  incoming.once('error', () => res.destroy())
  incoming.pipe(res)
}

/** Connects a WebSocket to a worker. When one side closes or fails, the other side is closed. */
export function forwardUpgrade(
  peer: { req: IncomingMessage; socket: Duplex; head: Buffer },
  target: Pick<RouterTarget, 'socket' | 'isTrusted'>,
): void {
  const { req, socket, head } = peer
  const upstream = connect(target.socket, () => {
    const headers = requestHeaders(req, target.isTrusted, { keepUpgrade: true })
    let text = `${req.method} ${req.url} HTTP/1.1\r\n`
    for (let i = 0; i < headers.length; i += 2) text += `${headers[i]}: ${headers[i + 1]}\r\n`
    upstream.write(`${text}\r\n`)
    upstream.write(head)
    upstream.pipe(socket)
    socket.pipe(upstream)
  })
  upstream.setNoDelay(true)
  upstream.once('error', () => socket.destroy())
  upstream.once('close', () => socket.destroy())
  socket.once('close', () => upstream.destroy())
}
