import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { Logger } from 'pino'
import { connectionOptions } from './database.ts'

type NotificationCallback = (payload: string) => void

/** One connection for all subscribers of the process, because LISTEN occupies its connection permanently. */
export interface Listener {
  /**
   * Calls `handler` with the payload of every notification on the channel. Also calls it with '' when notifications
   * may have been missed: once when listening begins, and after each reconnect. Returns the function that
   * unsubscribes.
   */
  on(channel: string, handler: NotificationCallback): () => void
  close(): Promise<void>
}

const RETRY_MS_MAX = 1000

/** Opens the process's LISTEN connection, which reconnects until it is closed. */
export async function openListener(options: { url: string; log: Logger }): Promise<Listener> {
  const listener = new ReconnectingListener(options.url, options.log)
  await listener.connect()
  return listener
}

class ReconnectingListener implements Listener {
  readonly #url: string
  readonly #log: Logger
  readonly #handlers = new Map<string, Set<NotificationCallback>>()
  readonly #closing = new AbortController()
  #client: Client | null = null
  #listening = Promise.resolve()

  constructor(url: string, log: Logger) {
    this.#url = url
    this.#log = log
  }

  on(channel: string, handler: NotificationCallback): () => void {
    const known = this.#handlers.get(channel)
    const handlers = known ?? new Set<NotificationCallback>()
    handlers.add(handler)
    if (known === undefined) {
      this.#handlers.set(channel, handlers)
      if (this.#client !== null) void this.#listen(this.#client, channel)
    }
    return () => void handlers.delete(handler)
  }

  async close(): Promise<void> {
    this.#closing.abort()
    const client = this.#client
    this.#client = null
    await client?.end()
  }

  async connect(): Promise<void> {
    const client = new Client({ ...connectionOptions(this.#url), application_name: 'slipway listener' })
    client.on('error', (error) => this.#handleLoss(client, error))
    client.on('end', () => this.#handleLoss(client, null))
    client.on('notification', ({ channel, payload }) => this.#notifyHandlers(channel, payload ?? ''))
    await client.connect()
    if (this.#closing.signal.aborted) return client.end()
    this.#client = client
    await Promise.all([...this.#handlers.keys()].map((channel) => this.#listen(client, channel)))
  }

  /** Runs the LISTEN statements one after the other, because a client must run only one at a time. */
  #listen(client: Client, channel: string): Promise<void> {
    this.#listening = this.#listening.then(() => this.#listenNow(client, channel))
    return this.#listening
  }

  async #listenNow(client: Client, channel: string): Promise<void> {
    // The connection was replaced in the meantime, and the new connection subscribes to every channel when it is
    // opened.
    if (this.#client !== client) return
    try {
      await client.query(`listen ${client.escapeIdentifier(channel)}`)
      this.#notifyHandlers(channel, '')
    } catch (error) {
      this.#handleLoss(client, error)
    }
  }

  #notifyHandlers(channel: string, payload: string): void {
    for (const handler of this.#handlers.get(channel) ?? []) handler(payload)
  }

  #handleLoss(client: Client, error: unknown): void {
    if (this.#client !== client) return
    this.#client = null
    this.#log.warn({ err: error }, 'listening connection lost')
    client.end().catch(() => {})
    void this.#reconnect()
  }

  async #reconnect(): Promise<void> {
    const { signal } = this.#closing
    for (let waitMs = 20; !signal.aborted; waitMs = Math.min(waitMs * 2, RETRY_MS_MAX)) {
      try {
        await this.connect()
        return
      } catch {
        await sleep(waitMs, undefined, { signal }).catch(() => {})
      }
    }
  }
}
