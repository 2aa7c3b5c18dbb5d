import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import type { Duplex } from 'node:stream'
import { publicAddress } from '../../../world/public-addresses.ts'

interface ProxyOptions {
  appsPort: number
  /** Private `host:port` pairs that the operator allowed. */
  allowed: string[]
}

interface ProxyTarget {
  host: string
  port: number
}

/** The proxy for all traffic of the browser. It allows public addresses, local apps, and what the operator allowed. */
export function createProxy(options: ProxyOptions): Server {
  const server = createServer((req, res) => void forwardRequest(req, res, options))
  server.on('connect', (req: IncomingMessage, socket: Duplex, head: Buffer) => {
    socket.on('error', () => socket.destroy())
    void openTunnel(req, socket, head, options)
  })
  return server
}

async function proxyTarget(
  name: string,
  port: number,
  { appsPort, allowed }: ProxyOptions,
): Promise<ProxyTarget | null> {
  const host = name.toLowerCase()
  const isApp = host.endsWith('.localhost') && port === appsPort
  if (isApp || allowed.includes(`${host}:${port}`)) return { host: isApp ? '127.0.0.1' : host, port }
  const address = await publicAddress(host)
  return address === null ? null : { host: address, port }
}

async function forwardRequest(
  req: IncomingMessage,
  res: ServerResponse,
  options: ProxyOptions,
): Promise<void> {
  const url = URL.parse(req.url ?? '')
  const target =
    url?.protocol === 'http:' ? await proxyTarget(url.hostname, Number(url.port || 80), options) : null
  // The page may have been closed during the lookup: `close` is not emitted again, so nothing would destroy `outgoing`.
  if (res.closed) return
  if (url === null || target === null) {
    res.writeHead(403).end('This address cannot be reached from here.')
    return
  }
  const { 'proxy-connection': _own, ...headers } = req.headers
  const outgoing = request(
    {
      ...target,
      method: req.method ?? 'GET',
      path: url.pathname + url.search,
      headers: { ...headers, host: url.host },
    },
    (incoming) => {
      const { statusCode = 0, headers: received } = incoming
      // `writeHead` would throw for a status such as 1, and nothing would catch that error.
      if (statusCode < 200) return void outgoing.destroy(new Error(`status ${statusCode}`))
      res.writeHead(statusCode, received)
      incoming.pipe(res)
      // `pipe` does not end the response to the browser when the target breaks the connection.
      incoming.once('close', () => {
        if (!incoming.complete) res.destroy()
      })
    },
  )
  outgoing.on('error', () => (res.headersSent ? res.destroy() : res.writeHead(502).end()))
  res.on('close', () => outgoing.destroy())
  req.pipe(outgoing)
}

async function openTunnel(
  req: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  options: ProxyOptions,
): Promise<void> {
  const url = URL.parse(`http://${req.url ?? ''}`)
  const target = url === null ? null : await proxyTarget(url.hostname, Number(url.port || 80), options)
  if (target === null) {
    socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n')
    return
  }
  const upstream = connect(target, () => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    upstream.write(head)
    upstream.pipe(socket)
    socket.pipe(upstream)
  })
  upstream.on('error', () => socket.destroy())
  upstream.on('close', () => socket.destroy())
  socket.on('close', () => upstream.destroy())
}
