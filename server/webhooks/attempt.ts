import { request } from 'undici'
import { sign } from '../crypto/signature.ts'
import { guardedAgent, type OutboundOptions } from '../lib/outbound.ts'

/** One signed request of a delivery. `body` is the stored envelope, with the same bytes at every attempt. */
export interface DeliveryRequest {
  eventId: string
  type: string
  body: string
  url: string
  secret: string
}

/** The time limit from opening the connection to the last response header. */
const ANSWER_MS_MAX = 15_000
/** A response body up to this size is read to its end, so that the connection can be reused. A longer body closes the connection. */
const BODY_BYTES_MAX = 65_536

/** Sends each request once. Retries are decided in `settle.ts`. */
export interface WebhookSender {
  /** Resolves to true when the receiver responds with a 2xx in time, and otherwise to false. Never rejects because of the receiver. */
  send(delivery: DeliveryRequest, at: Date): Promise<boolean>
  /** Aborts the requests in flight, which does not count as a failed attempt. */
  close(): Promise<void>
}

/**
 * Opens the HTTP client for deliveries. The client refuses private addresses, follows no redirects, and signs every attempt with the time
 * of the attempt.
 */
export function openSender(
  options: Pick<OutboundOptions, 'allow' | 'lookup'> & { answerMsMax?: number },
): WebhookSender {
  const { answerMsMax = ANSWER_MS_MAX } = options
  const agent = guardedAgent({ ...options, connectTimeoutMs: answerMsMax })
  return {
    async send(delivery, at) {
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), answerMsMax)
      const body = Buffer.from(delivery.body)
      try {
        const response = await request(delivery.url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Slipway',
            'service-signature': sign(delivery.secret, body, at),
            'service-event': delivery.type,
            'service-delivery-id': delivery.eventId,
          },
          body,
          signal: limit.signal,
        })
        // The status alone decides, so a response body that is truncated, endless or slow does not matter.
        await response.body.dump({ limit: BODY_BYTES_MAX, signal: limit.signal }).catch(() => {})
        return response.statusCode >= 200 && response.statusCode < 300
      } catch {
        return false
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}
