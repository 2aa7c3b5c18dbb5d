import { Agent, request } from 'node:http'

/**
 * Requests to a live app. Its host name ends in .localhost, which Node does not resolve, so the address is
 * given and the name goes into the Host header.
 */
export class AppClient {
  readonly #agent = new Agent({ keepAlive: true })
  readonly #port: number
  readonly #host: string

  constructor(appUrl: string) {
    const { host, port } = new URL(appUrl)
    this.#host = host
    this.#port = Number(port)
  }

  get(path: string): Promise<{ status: number; text: string }> {
    return this.#send('GET', path)
  }

  /** Sends JSON. */
  post(path: string, body: object): Promise<{ status: number; text: string }> {
    return this.#send('POST', path, JSON.stringify(body))
  }

  #send(method: string, path: string, body?: string): Promise<{ status: number; text: string }> {
    return new Promise((resolve, reject) => {
      const headers = { host: this.#host, ...(body !== undefined && { 'content-type': 'application/json' }) }
      const options = { host: '127.0.0.1', port: this.#port, method, path, headers }
      const sent = request({ ...options, agent: this.#agent, timeout: 10_000 }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => (text += chunk))
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }))
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
