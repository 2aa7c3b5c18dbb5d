import { createServer, request as forward, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export type Fault =
  | 'lose the request'
  | 'lose the answer'
  | 'answer 403'
  | 'answer 429'
  | 'answer 500'
  | 'be slow'

export interface ProxiedCall {
  method: string
  path: string
}

/** The delay of a slow request: long enough that other requests finish before it, and short enough for a test. */
const SLOW_MS = 1500

/** An HTTP proxy between the service and the API of the cloud. `arm` or `decide` chooses which requests fail, and how. */
export class FaultProxy {
  readonly #server = createServer((request, response) => void this.#serveRequest(request, response))
  #target = ''
  /** The number of connections dropped since `arm`, either before the cloud got the request or after the cloud had carried it out. */
  happened = 0
  /** Chooses the fault of each call instead of `arm`, for tests with several accounts at once. */
  decide: ((call: ProxiedCall) => Fault | null) | null = null
  #armedFault: { method: string; path: RegExp; fault: Fault; times: number } | null = null
  #held: { method: string; path: RegExp; arrived: () => void; released: Promise<void> } | null = null

  async listen(api: string): Promise<string> {
    this.#target = new URL(api).origin
    await new Promise<void>((ready) => this.#server.listen(0, '127.0.0.1', ready))
    const { port } = this.#server.address() as AddressInfo
    return api.replace(this.#target, `http://127.0.0.1:${port}`)
  }
  arm(method: string, path: RegExp, fault: Fault, times = 1): void {
    this.happened = 0
    this.#armedFault = { method, path, fault, times }
  }
  /** Holds the next call of this method and path. `arrived` resolves when the proxy has the call, and `release` lets the call continue. */
  hold(method: string, path: RegExp): { arrived: Promise<void>; release: () => void } {
    const arrived = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    this.#held = { method, path, arrived: arrived.resolve, released: released.promise }
    return { arrived: arrived.promise, release: released.resolve }
  }
  disarm(): void {
    this.#armedFault = null
  }
  close(): Promise<unknown> {
    this.#server.closeAllConnections()
    return new Promise((done) => this.#server.close(done))
  }

  async #serveRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const held = this.#held
    if (held !== null && isCall(request, held)) {
      this.#held = null
      held.arrived()
      await held.released
    }
    const fault = this.#faultFor(request)
    const dropConnection = () => {
      this.happened++
      request.socket.destroy()
    }
    if (fault === 'lose the request') return dropConnection()
    if (fault === 'answer 403') return void response.writeHead(403).end('{}')
    if (fault === 'answer 500') return void response.writeHead(500).end('{}')
    if (fault === 'answer 429') return void response.writeHead(429).end('{}')
    if (fault === 'be slow') await sleep(SLOW_MS)
    this.#forwardRequest(request, response, fault, dropConnection)
  }

  #forwardRequest(
    request: IncomingMessage,
    response: ServerResponse,
    fault: Fault | null,
    lose: () => void,
  ): void {
    const { method, headers } = request
    const onward = forward(`${this.#target}${request.url}`, { method, headers }, (answer) => {
      if (fault === 'lose the answer') return void answer.resume().on('end', lose)
      answer.pipe(response.writeHead(answer.statusCode ?? 502, answer.headers))
    })
    onward.on('error', () => request.socket.destroy())
    request.pipe(onward)
  }

  #faultFor(request: IncomingMessage): Fault | null {
    const armed = this.#armedFault
    if (this.decide !== null) return this.decide(callOf(request))
    if (armed === null || armed.times === 0 || !isCall(request, armed)) return null
    armed.times--
    return armed.fault
  }
}

const callOf = ({ method = '', url = '' }: IncomingMessage): ProxiedCall => ({
  method,
  path: url.split('?')[0] ?? '',
})

function isCall(request: IncomingMessage, expected: { method: string; path: RegExp }): boolean {
  const { method, path } = callOf(request)
  return method === expected.method && expected.path.test(path)
}
