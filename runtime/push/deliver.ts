import { encrypt } from './encrypt.ts'
import type { PushSettings } from './settings.ts'
import type { Device, OutgoingPush } from './types.ts'
import { vapidHeader, vapidKeysOf } from './vapid.ts'

const TIMEOUT_MS = 10_000

/**
 * The result at the push service: `gone` when the device is no longer subscribed, `refused` when a retry cannot help, `again` when the
 * service is busy, failing or unreachable.
 */
export type PushOutcome = 'sent' | 'gone' | 'refused' | 'again'

/** Sends a notification, encrypted for the device and signed for its push service (RFC 8030). */
export async function deliver(
  { endpoint, keys, host }: Device,
  { payload, endsAt, urgency }: OutgoingPush,
  { privateKey, subject }: PushSettings,
): Promise<PushOutcome> {
  if (privateKey === null) return 'refused'
  const nowMs = Date.now()
  const claims = { endpoint, subject: subject ?? `https://${host}`, nowMs }
  try {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        authorization: await vapidHeader(await vapidKeysOf(privateKey), claims),
        'content-encoding': 'aes128gcm',
        'content-type': 'application/octet-stream',
        ttl: String(Math.max(0, Math.floor((endsAt - nowMs) / 1000))),
        urgency,
      },
      body: await encrypt(payload, keys),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    await answer.body?.cancel()
    return deliveryOfStatus(answer.status)
  } catch {
    return 'again'
  }
}

function deliveryOfStatus(status: number): PushOutcome {
  if (status >= 200 && status < 300) return 'sent'
  if (status === 404 || status === 410) return 'gone'
  return status === 429 || status >= 500 ? 'again' : 'refused'
}
