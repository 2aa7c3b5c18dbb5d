import { type ChildProcess, spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import * as z from 'zod'
import { type SystemAccount, changeOwner } from '../../../world/account.ts'

const EventParams = z.record(z.string(), z.unknown())
type EventParams = z.output<typeof EventParams>

const Message = z.object({
  id: z.number().optional(),
  sessionId: z.string().optional(),
  method: z.string().optional(),
  params: EventParams.optional(),
  result: EventParams.optional(),
  error: z.object({ message: z.string() }).optional(),
})

export interface Page {
  send(method: string, params?: EventParams): Promise<EventParams>
  /** Resolves with the next event of this name. */
  next(event: string): Promise<EventParams>
  on(event: string, handler: (params: EventParams) => void): void
  close(): Promise<void>
}

const FOLDER_NAMES = ['HOME', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'TMPDIR']

const CHROMIUM_FLAGS = [
  '--headless=new',
  '--remote-debugging-pipe',
  '--no-first-run',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-default-apps',
  '--disable-extensions',
  '--disable-sync',
  '--metrics-recording-only',
  '--mute-audio',
  // Make requests to loopback addresses use the proxy too, and keep WebRTC from sending data past the proxy.
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
]

/** A browser that is controlled over a pipe and so opens no port. */
export class Chromium {
  readonly #child: ChildProcess
  readonly #dir: string
  readonly #events = new EventEmitter().setMaxListeners(0)
  readonly #waitingCalls = new Map<
    number,
    { resolve(result: EventParams): void; reject(error: Error): void }
  >()
  readonly #input: Writable
  #lastId = 0
  #partialMessage = ''
  isGone = false

  /** `dir` holds the browser's profile while it runs. */
  constructor(options: {
    path: string
    dir: string
    proxy: Server
    guard: string[]
    account: SystemAccount | null
  }) {
    mkdirSync(options.dir, { recursive: true, mode: 0o700 })
    this.#dir = mkdtempSync(join(options.dir, 'profile-'))
    if (options.account !== null) changeOwner(this.#dir, options.account)
    const { port } = options.proxy.address() as AddressInfo
    // Chromium's own sandbox does not start when this process runs as root. Nor does it start in most containers after root has switched to
    // another system user.
    const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : []
    const own = [`--proxy-server=http://127.0.0.1:${port}`, `--user-data-dir=${this.#dir}`, 'about:blank']
    const args = [...CHROMIUM_FLAGS, ...sandbox, ...own]
    const [guard, ...guarded] = [...options.guard, options.path, ...args]
    this.#child = spawn(guard as string, guarded, {
      // Puts every folder that the browser writes to into its own temporary folder.
      env: { ...process.env, ...Object.fromEntries(FOLDER_NAMES.map((name) => [name, this.#dir])) },
      stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'],
    })
    this.#input = this.#child.stdio[3] as Writable
    this.#input.on('error', () => this.#handleExit())
    const output = this.#child.stdio[4] as Readable
    output.setEncoding('utf8').on('data', (text: string) => this.#readMessages(text))
    this.#child.once('error', () => this.#handleExit())
    this.#child.once('exit', () => this.#handleExit())
  }

  async openPage(): Promise<Page> {
    const { browserContextId } = await this.#sendCommand('Target.createBrowserContext', {
      disposeOnDetach: true,
    })
    const { targetId } = await this.#sendCommand('Target.createTarget', {
      url: 'about:blank',
      browserContextId,
    })
    const { sessionId } = await this.#sendCommand('Target.attachToTarget', { targetId, flatten: true })
    const eventName = (event: string) => `${String(sessionId)} ${event}`
    return {
      send: (method, params = {}) => this.#sendCommand(method, params, String(sessionId)),
      next: async (event) => ((await once(this.#events, eventName(event))) as [EventParams])[0],
      on: (event, handler) => void this.#events.on(eventName(event), handler),
      close: async () => {
        await this.#sendCommand('Target.disposeBrowserContext', { browserContextId }).catch(() => {})
        for (const event of this.#events.eventNames()) {
          if (String(event).startsWith(`${String(sessionId)} `)) this.#events.removeAllListeners(event)
        }
      },
    }
  }

  async close(): Promise<void> {
    if (this.isGone) return
    // A process that could not be started emits `error` instead of `exit`, which rejects this promise.
    const gone = once(this.#child, 'exit').catch(() => {})
    this.#child.kill('SIGKILL')
    await gone
  }

  #sendCommand(method: string, params: EventParams, sessionId?: string): Promise<EventParams> {
    if (this.isGone) return Promise.reject(new Error('the browser has ended'))
    const id = ++this.#lastId
    this.#input.write(
      `${JSON.stringify({ id, method, params, ...(sessionId === undefined ? {} : { sessionId }) })}\0`,
    )
    return new Promise((resolve, reject) => this.#waitingCalls.set(id, { resolve, reject }))
  }

  #readMessages(text: string): void {
    const parts = (this.#partialMessage + text).split('\0')
    this.#partialMessage = parts.pop() ?? ''
    for (const part of parts) this.#handleMessage(Message.parse(JSON.parse(part)))
  }

  #handleMessage({ id, sessionId, method, params, result, error }: z.output<typeof Message>): void {
    if (id === undefined) {
      this.#events.emit(`${sessionId ?? ''} ${method ?? ''}`, params ?? {})
      return
    }
    const waiting = this.#waitingCalls.get(id)
    this.#waitingCalls.delete(id)
    if (error === undefined) waiting?.resolve(result ?? {})
    else waiting?.reject(new Error(error.message))
  }

  #handleExit(): void {
    if (this.isGone) return
    this.isGone = true
    for (const { reject } of this.#waitingCalls.values()) reject(new Error('the browser has ended'))
    this.#waitingCalls.clear()
    rmSync(this.#dir, { recursive: true, force: true, maxRetries: 3 })
  }
}
