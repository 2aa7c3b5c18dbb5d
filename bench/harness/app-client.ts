import { Agent, request } from 'node:http'

interface AppResponse {
  status: number
  text: string
  /** The first cookie that was set, as `name=value`. */
  cookie: string | null
}

/**
 * Sends requests to a live app. Node does not resolve the app's host name, which ends in .localhost, so the client connects to the loopback
 * address and sends the name in the Host header.
 */
export class AppClient {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number
  readonly #host: string
  readonly #cookie: string | null

  constructor(appUrl: string, cookie: string | null = null) {
    const { host, port } = new URL(appUrl)
    this.#host = host
    this.#port = Number(port)
    this.#cookie = cookie
  }

  get(path: string): Promise<AppResponse> {
    return this.#sendRequest('GET', path)
  }

  post(path: string, body: object): Promise<AppResponse> {
    return this.#sendRequest('POST', path, JSON.stringify(body))
  }

  #sendRequest(method: string, path: string, body?: string): Promise<AppResponse> {
    return new Promise((resolve, reject) => {
      const headers = {
        host: this.#host,
        ...(this.#cookie !== null && { cookie: this.#cookie }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }
      const options = { host: '127.0.0.1', port: this.#port, method, path, headers }
      const sent = request({ ...options, agent: this.#agent, timeout: 10_000 }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        const [cookie] = response.headers['set-cookie'] ?? []
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, text, cookie: cookie?.split(';')[0] ?? null }),
        )
        response.on('error', reject)
      })
      sent.on('timeout', () => sent.destroy(new Error('no answer in 10 s')))
      sent.on('error', reject)
      sent.end(body)
    })
  }

  close(): void {
    this.#agent.destroy()
  }
}
