import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { EventSourceParserStream } from 'eventsource-parser/stream'
import * as z from 'zod'
import type { Frame } from './progress.ts'

export class DemoApi {
  readonly email = 'demo@slipway.test'
  readonly password: string
  readonly #url: string
  #cookie = ''

  private constructor(url: string, password: string) {
    this.#url = url
    this.password = password
  }

  /** Signs up on the first run and signs in on later ones. The password is stored in the data folder. */
  static async signIn(url: string, dataDir: string): Promise<DemoApi> {
    const file = join(dataDir, 'demo-password')
    const isNew = !existsSync(file)
    if (isNew) writeFileSync(file, randomBytes(12).toString('base64url'), { mode: 0o600 })
    const api = new DemoApi(url, readFileSync(file, 'utf8'))
    const signedIn = isNew ? false : await api.#authenticate('sign-in')
    if (!signedIn && !(await api.#authenticate('sign-up')))
      throw new Error(
        `The demo account cannot sign in. Delete ${file} and the account, or use another data directory.`,
      )
    return api
  }

  async #authenticate(action: 'sign-in' | 'sign-up'): Promise<boolean> {
    const response = await fetch(`${this.#url}/api/auth/${action}/email`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: this.#url },
      body: JSON.stringify({ name: 'Demo', email: this.email, password: this.password }),
    })
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ')
    return response.ok
  }

  #sendRequest(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#url}/api/v1${path}`, {
      method,
      headers: { 'content-type': 'application/json', cookie: this.#cookie, origin: this.#url },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  }

  async #callApi<T>(method: string, path: string, body?: object): Promise<T> {
    const response = await this.#sendRequest(method, path, body)
    const envelope = (await response.json()) as
      | { ok: true; data: T }
      | { ok: false; error: { message: string } }
    if (!envelope.ok) throw new Error(`${method} ${path}: ${envelope.error.message}`)
    return envelope.data
  }

  /** Waits for the job that connects the local cloud account after the sign-up. */
  async waitForCloud(): Promise<void> {
    for (let tries = 0; tries < 150; tries++) {
      const { cloudflare } = await this.#callApi<{ cloudflare: { connected: boolean } }>(
        'GET',
        '/connections',
      )
      if (cloudflare.connected) return
      await sleep(200)
    }
    throw new Error('The local cloud was not connected within 30 seconds.')
  }

  createProject(): Promise<{ id: string }> {
    return this.#callApi('POST', '/projects', {})
  }

  captureTicket(projectId: string, text: string): Promise<{ id: string; title: string }> {
    return this.#callApi('POST', `/projects/${projectId}/tickets/capture`, { text })
  }

  async *streamBuild(projectId: string, ticketId: string): AsyncGenerator<Frame> {
    const response = await this.#sendRequest(
      'POST',
      `/projects/${projectId}/tickets/${ticketId}/build/stream`,
      {},
    )
    if (!response.ok || response.body === null)
      throw new Error(`The build did not start: ${await response.text()}`)
    const events = response.body
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream())
    for await (const event of events) yield JSON.parse(event.data) as Frame
  }

  /** Ships the project and waits until the deployment has ended. The first response may say that the deployment is still in progress. */
  async ship(projectId: string): Promise<{ url: string }> {
    let deploy = await this.#callApi<Deploy>('POST', `/projects/${projectId}/deploy`)
    while (deploy.state === 'deploying') {
      await sleep(500)
      deploy = await this.#callApi<Deploy>('GET', `/projects/${projectId}/deploy`)
    }
    if (deploy.state !== 'live' || deploy.url === null)
      throw new Error(`The ship ended as ${deploy.state}: ${JSON.stringify(deploy.error)}`)
    return { url: deploy.url }
  }

  async readManifest(projectId: string): Promise<Manifest> {
    const { files } = await this.#callApi<{ files: Record<string, string> }>(
      'GET',
      `/projects/${projectId}/source`,
    )
    return Manifest.parse(JSON.parse(files['app.json'] ?? '{}'))
  }
}

interface Deploy {
  state: string
  url: string | null
  error: unknown
}

const Field = z.object({ type: z.string(), required: z.boolean().optional() })
const Manifest = z.object({
  collections: z
    .record(
      z.string(),
      z.object({
        read: z.string().optional(),
        write: z.string().optional(),
        fields: z.record(z.string(), Field),
      }),
    )
    .optional(),
})
export type Manifest = z.output<typeof Manifest>
