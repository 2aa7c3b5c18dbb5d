import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

interface ReceivedRequest {
  path: string
  body: string
  headers: IncomingHttpHeaders
}

/** A server that records requests, like an app that receives webhooks. */
export interface WebhookReceiver {
  url: string
  received: ReceivedRequest[]
  /** The statuses of the next responses; 200 when the list is empty. A redirect leads to `/elsewhere`. */
  statuses: number[]
  /** The paths whose requests get no response until `release`. */
  hanging: Set<string>
  release(): void
  /** Resolves at the next request. */
  nextRequest(): Promise<void>
  close(): void
}

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const received: ReceivedRequest[] = []
  const statuses: number[] = []
  const hanging = new Set<string>()
  const waiting: (() => void)[] = []
  const server = createServer((req, res) => {
    const parts: Buffer[] = []
    req.on('data', (part: Buffer) => parts.push(part))
    req.on('end', () => {
      received.push({ path: req.url ?? '', body: Buffer.concat(parts).toString(), headers: req.headers })
      const respond = () =>
        res.writeHead(statuses.shift() ?? 200, { location: '/elsewhere' }).end('a body that nothing reads')
      if (hanging.has(req.url ?? '')) waiting.push(respond)
      else respond()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    statuses,
    hanging,
    release: () => {
      hanging.clear()
      for (const respond of waiting.splice(0)) respond()
    },
    nextRequest: () => new Promise((resolve) => server.once('request', () => resolve())),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
