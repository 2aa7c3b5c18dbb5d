import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Cloud, type CloudCall, type CloudOptions, openAccount } from './client.ts'
import { CloudflareError, errorFromResponse } from './errors.ts'

interface ProviderRequest {
  method: string
  /** The path with its query. */
  url: string
  body: string
  token: string
}

type Responder = (request: ProviderRequest, response: ServerResponse) => void

const servers: ReturnType<typeof createServer>[] = []

/** Starts a server that responds to the k-th request with the k-th function, and to any further request with the last one. */
export async function startProvider(...answers: Responder[]) {
  const seen: string[] = []
  const requests: ProviderRequest[] = []
  const server = createServer((request, response) => {
    void readBody(request).then((body) => {
      const url = request.url ?? ''
      const answer = answers[Math.min(seen.length, answers.length - 1)]
      seen.push(`${request.method} ${url.split('?')[0]}`)
      const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
      response.setHeader('connection', 'close')
      const received = { method: request.method ?? '', url, body, token }
      requests.push(received)
      answer?.(received, response)
    })
  })
  servers.push(server)
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
  const { port } = server.address() as AddressInfo
  const records: string[] = []
  const dead: string[] = []
  const options: CloudOptions = {
    api: `http://cloud.localhost:${port}`,
    accountId: 'acc',
    subdomain: 'demo',
    appUrl: (script, subdomain) => `https://${script}.${subdomain}.test`,
    credential: {
      id: randomUUID(),
      method: 'oauth',
      token: async () => 'old',
      renew: async () => 'new',
      markDead: async () => void dead.push('dead'),
    },
    record: async ({ action, target, status }) => void records.push(`${action} ${target} ${status}`),
  }
  /** Returns the calls in order, each as its method, its address and the JSON of its body, if it has one. */
  const calls = () =>
    requests.map(({ method, url, body }) => {
      const call = `${method} ${decodeURIComponent(url)}`
      return body === '' ? call : [call, JSON.parse(body)]
    })
  return { seen, requests, calls, records, dead, cloud: openAccount(options), options }
}

/** Ends the servers of all tests so far. Call it in an `after` hook. */
export async function closeProviders(): Promise<void> {
  await Promise.all(servers.splice(0).map((server) => new Promise((done) => server.close(done))))
}

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('latin1')
}

export const okResponse =
  (result: unknown, status = 200): Responder =>
  (_request, response) =>
    response.writeHead(status).end(JSON.stringify({ success: true, errors: [], result }))

export const errorResponse =
  (status: number, code: number, message: string, headers: Record<string, string> = {}): Responder =>
  (_request, response) =>
    response
      .writeHead(status, headers)
      .end(JSON.stringify({ success: false, errors: [{ code, message }], result: null }))

/** A response that is lost: the request arrives, and the connection ends without a response. */
export const hangUp: Responder = (_request, response) => response.socket?.destroy()

/** A response that announces more bytes than it sends before the connection ends. */
export const cutShort =
  (status = 200): Responder =>
  (_request, response) => {
    response.writeHead(status, { 'content-length': '1000' })
    response.write('{"ok":true,', () => response.socket?.destroy())
  }

/** A response with this body and no envelope. */
export const bodyResponse =
  (body: unknown, status = 200): Responder =>
  (_request, response) =>
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body))

/**
 * An account in memory, for tests that choose the outcome of each call. `respond` gets the method and path of a call, such as `GET /zones`,
 * and returns the result or throws. A result must match the schema of the call, as that of a real response.
 */
export function memoryAccount(respond: (call: string, request: CloudCall<unknown>) => unknown) {
  const calls: string[] = []
  const receive = async <T>(request: CloudCall<T> & { missing?: 'null' | 'error' }): Promise<T | null> => {
    const call = `${request.method} ${request.path}`
    calls.push(call)
    try {
      return request.result.parse(await respond(call, request))
    } catch (error) {
      const isMissing = error instanceof CloudflareError && error.status === 404
      if (isMissing && request.missing === 'null') return null
      throw error
    }
  }
  const cloud: Cloud = {
    accountId: 'acc',
    subdomain: 'demo',
    appUrl: (script) => `https://${script}.demo.test`,
    call: receive,
  }
  return { cloud, calls }
}

/** Returns the error of a call that the provider refused with this status and error code. */
export const refusedCall = (status: number, code: number | null = null): CloudflareError =>
  errorFromResponse(
    status,
    { code, message: 'Refused' },
    { doing: 'do this', retryAfterSeconds: null, permission: null },
  )
