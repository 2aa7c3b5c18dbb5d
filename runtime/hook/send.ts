import { invalid, errorText } from '../kernel/errors.ts'
import { standardSignature } from './verify.ts'
import type { OutgoingHook } from './types.ts'

const TIMEOUT_MS = 15_000
const BODY_CHARS_MAX = 100_000
const EVENT_TYPE = /^[\w.-]{1,100}$/

/** Returns the JSON of an outgoing message (Standard Webhooks). Throws an error that names the invalid field. */
export function webhookBody(type: unknown, data: unknown, now: Date): string {
  if (typeof type !== 'string' || !EVENT_TYPE.test(type))
    throw invalid('type', 'must be a name like invoice.paid, of at most 100 characters')
  const body = JSON.stringify({ type, timestamp: now.toISOString(), data: data ?? null })
  if (body.length > BODY_CHARS_MAX)
    throw invalid('data', `must have at most ${BODY_CHARS_MAX} characters as JSON`)
  return body
}

/** Signs and sends a message. Returns null when it arrived, otherwise the reason. Any status other than 2xx is a failure. */
export async function sendSigned(
  { id, url, body }: OutgoingHook,
  key: string | null,
): Promise<string | null> {
  if (key === null) return 'The capability hook has no signing key.'
  const seconds = String(Math.floor(Date.now() / 1000))
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'webhook-id': id,
        'webhook-timestamp': seconds,
        'webhook-signature': standardSignature(key, { id, seconds, body }),
      },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return answer.ok ? null : `${new URL(url).host} answered ${answer.status}.`
  } catch (error) {
    return errorText(error)
  }
}
