import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'

export interface ReceivedRequest {
  path: string
  headers: IncomingHttpHeaders
  body: string
}

/** Writes the response to a request; by default a 204. */
export type Reply = (res: ServerResponse, received: ReceivedRequest) => void

/** Starts an HTTP server on loopback that records every request. */
export async function openReceiver(reply: Reply = (res) => res.writeHead(204).end()) {
  const received: ReceivedRequest[] = []
  let waiting: { count: number; resolve: () => void } | null = null
  let current = reply
  const server = createServer((req, res) => {
    let body = ''
    req.setEncoding('utf8')
    req.on('data', (text: string) => (body += text))
    req.on('end', () => {
      const one = { path: req.url ?? '', headers: req.headers, body }
      received.push(one)
      current(res, one)
      if (waiting !== null && received.length >= waiting.count) waiting.resolve()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `http://127.0.0.1:${port}/in`,
    received,
    reply: (next: Reply) => (current = next),
    /** Resolves when at least `count` requests have arrived since the start. */
    until: (count: number): Promise<void> => {
      if (received.length >= count) return Promise.resolve()
      return new Promise((resolve) => (waiting = { count, resolve }))
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}
export type Receiver = Awaited<ReturnType<typeof openReceiver>>

/**
 * Verifies the signature of a webhook request with an independent library. Throws when the signature is not valid at the time `at`. Returns
 * the event's envelope.
 */
export function verifiedEvent({ body, headers }: ReceivedRequest, secret: string, at: Date) {
  const header = String(headers['service-signature'])
  const seconds = Math.floor(at.getTime() / 1000)
  const event: unknown = new Stripe('sk_unused').webhooks.constructEvent(
    body,
    header,
    secret,
    300,
    undefined,
    seconds,
  )
  return event as { id: string; type: string; projectId: string; createdAt: number; data: object }
}
