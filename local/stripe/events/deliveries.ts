import { createHmac } from 'node:crypto'
import { fetchFromHost } from '../../world/fetch-from-host.ts'
import type { Store } from '../../world/store.ts'
import type { HiddenFields, Objects } from '../types.ts'

/** Delays between attempts. They are short, because a developer waits for the result; the provider retries for days. */
const RETRIES_MS = [1000, 5000, 30_000]
const TIMEOUT_MS = 10_000
/** The limit is per endpoint, so that an endpoint that does not respond delays only its own events. */
const DELIVERIES_AT_ONCE = 10

interface DeliveryOptions {
  store: Store
  now(): number
  /** Factor on simulated delays; below 1 is faster. */
  timeScale: number
}

interface DueDelivery {
  id: number
  room: string
  attempts: number
  event: JsonText<Objects['event']>
  endpoint: JsonText<Objects['webhook_endpoint']>
  hidden: JsonText<HiddenFields['webhook_endpoint']>
}

/**
 * Sends events to webhook endpoints. Pending deliveries are stored as rows, so they are also sent after a
 * restart.
 */
export class EventDeliveries {
  readonly #options: DeliveryOptions
  #timer: NodeJS.Timeout | null = null
  /** The running attempts, by delivery id. */
  readonly #running = new Map<number, Promise<void>>()
  #isClosed = false

  constructor(options: DeliveryOptions) {
    this.#options = options
  }

  /** Sends the deliveries that are due, and sets a timer for the next one. */
  check(): void {
    if (this.#isClosed) return
    for (const due of this.#findDue()) {
      const sent = this.#sendAttempt(due).finally(() => {
        this.#running.delete(due.id)
        this.check()
      })
      this.#running.set(due.id, sent)
    }
    this.#scheduleNext()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    await Promise.all(this.#running.values())
  }

  /** Returns the due deliveries that are not being sent, if they are among the first ten of their endpoint. */
  #findDue(): DueDelivery[] {
    const { store, now } = this.#options
    return store.all<DueDelivery>(
      `SELECT d.id, d.room, d.attempts, e.body AS event, w.body AS endpoint, w.hidden
       FROM (
         SELECT *, row_number() OVER (PARTITION BY room, endpoint_id ORDER BY id) AS place
         FROM stripe_deliveries WHERE due_at <= ?
       ) d
       JOIN stripe_objects e ON e.room = d.room AND e.object = 'event' AND e.id = d.event_id
       JOIN stripe_objects w ON w.room = d.room AND w.object = 'webhook_endpoint' AND w.id = d.endpoint_id
       WHERE d.place <= ? AND d.id NOT IN (SELECT value FROM json_each(?)) ORDER BY d.id`,
      now(),
      DELIVERIES_AT_ONCE,
      JSON.stringify([...this.#running.keys()]),
    )
  }

  async #sendAttempt({ id, attempts, event, endpoint, hidden }: DueDelivery): Promise<void> {
    const { url, status: state } = JSON.parse(endpoint)
    const { secret } = JSON.parse(hidden)
    const { store, now, timeScale } = this.#options
    // As at the provider, an endpoint that was disabled before an attempt gets no more attempts.
    if (state === 'disabled') {
      store.run('UPDATE stripe_deliveries SET due_at = NULL WHERE id = ?', id)
      return
    }
    const status = await this.#postEvent(url, JSON.parse(event), secret)
    const isDone = status >= 200 && status < 300
    const waitMs = RETRIES_MS[attempts]
    const dueAt = isDone || waitMs === undefined ? null : Math.round(now() + waitMs * timeScale)
    if (this.#isClosed && !isDone) return
    const sql = 'UPDATE stripe_deliveries SET attempts = ?, due_at = ?, last_status = ? WHERE id = ?'
    store.run(sql, attempts + 1, dueAt, status, id)
  }

  async #postEvent(url: string, event: Objects['event'], secret: string): Promise<number> {
    const body = JSON.stringify(event, null, 2)
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'Stripe/1.0 (+https://stripe.com/docs/webhooks)',
      'stripe-signature': sign(body, secret, Math.floor(this.#options.now() / 1000)),
    }
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS)
      const response = await fetchFromHost(url, { method: 'POST', headers, body, redirect: 'manual', signal })
      await response.body?.cancel()
      return response.status
    } catch {
      return 0
    }
  }

  /** Sets a timer for the next delivery that becomes due. Ignores deliveries to deleted endpoints. */
  #scheduleNext(): void {
    const { store, now } = this.#options
    if (this.#isClosed) return
    const next = store.get<{ at: number | null }>(
      `SELECT min(d.due_at) AS at FROM stripe_deliveries d
       JOIN stripe_objects w ON w.room = d.room AND w.object = 'webhook_endpoint' AND w.id = d.endpoint_id
       WHERE d.due_at > ?`,
      now(),
    )?.at
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    if (next === undefined || next === null) return
    this.#timer = setTimeout(() => this.check(), Math.max(0, next - now())).unref()
  }
}

/** Signs an event as Stripe does: HMAC-SHA256 over the time and the bytes of the body. */
export function sign(body: string, secret: string, atSeconds: number): string {
  const signature = createHmac('sha256', secret).update(`${atSeconds}.${body}`).digest('hex')
  return `t=${atSeconds},v1=${signature}`
}
