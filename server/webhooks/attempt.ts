import { request } from 'undici'
import { sign } from '../crypto/signature.ts'
import { guardedAgent, type OutboundOptions } from '../lib/outbound.ts'

/** What one attempt needs; the body is the stored envelope, the same at every attempt. */
export interface Letter {
  eventId: string
  type: string
  body: string
  url: string
  secret: string
}

/** From the connection to the end of the answer's headers. */
const ANSWER_MS_MAX = 15_000
/** What is read of a body, so that its connection can be used again; a longer one ends the connection. */
const BODY_BYTES_MAX = 65_536

/** Sends deliveries, each once. */
export interface Poster {
  /** Whether the receiver took it: it answered 2xx in time. Never throws for what the receiver does. */
  post(letter: Letter, at: Date): Promise<boolean>
  /** Cuts off whatever is under way. */
  close(): Promise<void>
}

/** Opens the connections deliveries go out by: no private address, no redirect, every attempt signed anew. */
export function openPoster(
  options: Pick<OutboundOptions, 'allow' | 'lookup'> & { answerMsMax?: number },
): Poster {
  const { answerMsMax = ANSWER_MS_MAX } = options
  const agent = guardedAgent({ ...options, connectTimeoutMs: answerMsMax })
  return {
    async post(letter, at) {
      const limit = new AbortController()
      const timer = setTimeout(() => limit.abort(), answerMsMax)
      const body = Buffer.from(letter.body)
      try {
        const answer = await request(letter.url, {
          dispatcher: agent,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            'user-agent': 'Slipway',
            'service-signature': sign(letter.secret, body, at),
            'service-event': letter.type,
            'service-delivery-id': letter.eventId,
          },
          body,
          signal: limit.signal,
        })
        // The status decides; a body that is cut, endless or slow changes nothing any more.
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
