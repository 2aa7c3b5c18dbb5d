import { setTimeout as sleep } from 'node:timers/promises'
import type { Service } from './service.ts'

type Envelope<T> = { ok: true; data: T } | { ok: false; error: { code: string; message: string } }

export class Api {
  readonly #url: string
  readonly #cookie: string

  private constructor(url: string, cookie: string) {
    this.#url = url
    this.#cookie = cookie
  }

  /**
   * Signs up a new person. When the local provider emulators run, waits until the account at the Cloudflare
   * emulator is connected.
   */
  static async signUp(service: Service, email = 'bench@slipway.test'): Promise<Api> {
    const response = await fetch(`${service.url}/api/auth/sign-up/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: service.url },
      body: JSON.stringify({ name: 'Bench', email, password: 'a long bench password' }),
    })
    if (!response.ok) throw new Error(`sign-up: ${response.status} ${await response.text()}`)
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0])
    const api = new Api(service.url, cookies.join('; '))
    if (service.worldUrl !== null) await api.#untilConnected()
    return api
  }

  /** Returns a client with the same session for the restarted service, which has a new address. */
  at(service: Service): Api {
    return new Api(service.url, this.#cookie)
  }

  /** The cookies of this session, for a browser. */
  get cookies(): { name: string; value: string; url: string }[] {
    return this.#cookie.split('; ').map((pair) => {
      const [name = '', ...value] = pair.split('=')
      return { name, value: value.join('='), url: this.#url }
    })
  }

  request(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.#cookie, origin: this.#url },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async call<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.request(method, path, body)
    const envelope = (await response.json()) as Envelope<T>
    if (!envelope.ok) throw new Error(`${method} ${path}: ${envelope.error.code} ${envelope.error.message}`)
    return envelope.data
  }

  /**
   * Waits for the background job of the sign-up, which connects an account at the local Cloudflare emulator.
   */
  async #untilConnected(): Promise<void> {
    for (let tries = 0; tries < 300; tries++) {
      const { cloudflare } = await this.call<{ cloudflare: { connected: boolean } }>('GET', '/connections')
      if (cloudflare.connected) return
      await sleep(100)
    }
    throw new Error('the local cloud was not connected within 30 seconds')
  }
}
