import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../config.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { openReceiver, type Receiver, type Reply } from '../testing/receiver.ts'
import { type DeliveryOptions, startDeliveries } from './deliveries.ts'

export const BASE_SECONDS = 30

/** A test application that sends deliveries to receivers on loopback, with a clock that the test sets. */
export class DeliveryWorld {
  readonly app: TestApp
  #receivers: Receiver[] = []
  #relays: { stop(): Promise<void> }[] = []

  constructor(app: TestApp) {
    this.app = app
  }

  static async open(change: Partial<Config> = {}): Promise<DeliveryWorld> {
    return new DeliveryWorld(
      await testApp({ outboundAllow: ['127.0.0.1'], deliveryRetrySeconds: BASE_SECONDS, ...change }),
    )
  }

  /** Removes senders, receivers and endpoints, so that the next test starts without them. */
  async clear(): Promise<void> {
    await Promise.all(this.#relays.splice(0).map((relay) => relay.stop()))
    await Promise.all(this.#receivers.splice(0).map((receiver) => receiver.close()))
    await this.app.platform.pool.query('delete from webhook_endpoints; delete from deliveries')
  }

  relay(options: Partial<DeliveryOptions> = {}): { stop(): Promise<void> } {
    const relay = startDeliveries(this.app.platform, { processId: () => 1, ...options })
    this.#relays.push(relay)
    return relay
  }

  async receiver(reply?: Reply): Promise<Receiver> {
    const receiver = await openReceiver(reply)
    this.#receivers.push(receiver)
    return receiver
  }

  async subscribe(as: Client, url: string, events: string[] = ['*']) {
    return (await as.call<{ id: string; secret: string }>('POST /webhooks', { url, events })).data
  }

  async createProject(as: Client, name = 'Plants'): Promise<string> {
    return (await as.call<{ id: string }>('POST /projects', { name })).data.id
  }

  async lastDeliveryAt(as: Client, id: string): Promise<string | null | undefined> {
    const { data } = await as.call<{ id: string; lastDeliveryAt: string | null }[]>('GET /webhooks')
    return data.find((endpoint) => endpoint.id === id)?.lastDeliveryAt
  }

  /** Moves the clock forward and wakes the senders, which sleep by the machine's own clock. */
  async advance(ms: number): Promise<void> {
    this.app.clock.advance(ms)
    await this.app.platform.pool.query('notify deliveries')
  }

  open() {
    return this.app.platform.db.selectFrom('deliveries').selectAll().orderBy('event_id').execute()
  }

  /** Resolves when the outcome of the nth attempt of every open delivery is stored. */
  attempted(n: number): Promise<void> {
    return waitUntilTrue(async () =>
      (await this.open()).every((row) => row.attempt === n && row.claimed_by === null),
    )
  }

  allSettled(): Promise<void> {
    return waitUntilTrue(async () => (await this.open()).length === 0)
  }
}

export async function waitUntilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 10_000; !(await condition()); await sleep(5))
    assert.ok(performance.now() < end, 'it did not happen in time')
}
