import { request } from 'undici'
import { sign } from '../crypto/signature.ts'
import { guardedAgent, type OutboundOptions } from '../lib/outbound.ts'

/** One signed request of a delivery. `body` is the stored envelope, the same bytes at every attempt. */
export interface DeliveryRequest {
  eventId: string
  type: string
  body: string
  url: string
  secret: string
}

/** The time limit from opening the connection to the last response header. */
const ANSWER_MS_MAX = 15_000
/** A response body up to this size is read to its end, so that the connection can be reused. A longer one closes the connection. */
const BODY_BYTES_MAX = 65_536

/** Sends each request once. Retries are decided in `settle.ts`. */
export interface WebhookSender {
  /**
   * Resolves to true when the receiver responded with a 2xx in time, or else to false. A failure of the
   * receiver never rejects.
   */
  send(delivery: DeliveryRequest, at: Date): Promise<boolean>
  /** Aborts the requests in flight, which does not count as a failure of their receivers. */
  close(): Promise<void>
}

/**
 * Opens the HTTP client for deliveries. It refuses private addresses, follows no redirects, and signs every
 * attempt with its own time.
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
        const answer = await request(delivery.url, {
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
        await answer.body.dump({ limit: BODY_BYTES_MAX, signal: limit.signal }).catch(() => {})
        return answer.statusCode >= 200 && answer.statusCode < 300
      } catch {
        return false
      } finally {
        clearTimeout(timer)
      }
    },
    close: () => agent.destroy(),
  }
}
