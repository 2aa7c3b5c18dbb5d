import { randomBytes, randomUUID } from 'node:crypto'
import type { Store } from '../world/store.ts'
import { decryptMessage, newDeviceKeys, readVapid } from './verify.ts'

export const PUSH_HOST = 'push.slipway.test'
const PUSH_ORIGIN = `https://${PUSH_HOST}`

const BODY_BYTES_MAX = 4096
const LISTED_MESSAGES_MAX = 200

/** A subscription as a browser returns it. */
export interface DeviceSubscription {
  endpoint: string
  keys: { p256dh: string; auth: string }
}

/** A decrypted message, as the device shows it. */
export interface PushMessage {
  id: string
  endpoint: string
  /** The contact of the sender: `sub` in the VAPID token (RFC 8292). */
  subject: string
  content: string
  ttlSeconds: number
  urgency: string
  createdAt: number
}

interface DeviceRow {
  id: string
  private_key: string
  public_key: string
  auth: string
  sender_key: string
  /** The HTTP status with which every message is refused; null for a device that accepts messages. */
  status: number | null
}

interface MessageRow {
  id: string
  device_id: string
  subject: string
  content: string
  ttl_seconds: number
  urgency: string
  created_at: number
}

/** A stand-in for a push service (RFC 8030) and for the devices that it delivers to. */
export class PushService {
  readonly #store: Store
  readonly #now: () => number

  constructor(store: Store, now: () => number) {
    this.#store = store
    this.#now = now
  }

  /**
   * Creates a device that accepts messages only from the app with the key `senderKey`. With `status`, every message to the device is
   * refused with this HTTP status.
   */
  subscribe(senderKey: string, status: number | null): DeviceSubscription {
    const id = randomUUID()
    const { privateKey, publicKey } = newDeviceKeys()
    const auth = randomBytes(16).toString('base64url')
    this.#store.run(
      'INSERT INTO push_devices VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      privateKey,
      publicKey,
      auth,
      senderKey,
      status,
      this.#now(),
    )
    return { endpoint: `${PUSH_ORIGIN}/send/${id}`, keys: { p256dh: publicKey, auth } }
  }

  /** Lists the messages, newest first, at most 200. */
  list(): PushMessage[] {
    return this.#store
      .all<MessageRow>(
        'SELECT * FROM push_messages ORDER BY created_at DESC, rowid DESC LIMIT ?',
        LISTED_MESSAGES_MAX,
      )
      .map((row) => ({
        id: row.id,
        endpoint: `${PUSH_ORIGIN}/send/${row.device_id}`,
        subject: row.subject,
        content: row.content,
        ttlSeconds: row.ttl_seconds,
        urgency: row.urgency,
        createdAt: row.created_at,
      }))
  }

  answer = async (request: Request): Promise<Response> => {
    const [, id = ''] = /^\/send\/([\w-]+)$/.exec(new URL(request.url).pathname) ?? []
    const device = this.#store.get<DeviceRow>('SELECT * FROM push_devices WHERE id = ?', id)
    if (device === undefined) return errorResponse(404, 'no such subscription')
    if (request.method !== 'POST') return errorResponse(405, 'only POST')
    const body = Buffer.from(await request.arrayBuffer())
    return this.#acceptMessage(device, request.headers, body)
  }

  #acceptMessage(device: DeviceRow, headers: Headers, body: Buffer): Response {
    const nowMs = this.#now()
    const senderKey = device.sender_key
    const vapid = readVapid(headers.get('authorization'), { origin: PUSH_ORIGIN, senderKey, nowMs })
    if ('problem' in vapid) return errorResponse(403, vapid.problem)
    if (!/^\d{1,10}$/.test(headers.get('ttl') ?? '')) return errorResponse(400, 'no ttl')
    // A message without content is not encrypted (RFC 8030): it only wakes the device.
    const isEmpty = body.length === 0 && !headers.has('content-encoding')
    if (!isEmpty && headers.get('content-encoding') !== 'aes128gcm')
      return errorResponse(400, 'not aes128gcm')
    if (body.length > BODY_BYTES_MAX) return errorResponse(413, `more than ${BODY_BYTES_MAX} bytes`)
    if (device.status !== null) return errorResponse(device.status, 'as the device was made')
    let content = ''
    try {
      if (!isEmpty)
        content = decryptMessage(body, {
          privateKey: device.private_key,
          publicKey: device.public_key,
          auth: device.auth,
        })
    } catch (error) {
      return errorResponse(400, `the device cannot decrypt it: ${String(error)}`)
    }
    const id = randomUUID()
    this.#store.run(
      'INSERT INTO push_messages VALUES (?, ?, ?, ?, ?, ?, ?)',
      id,
      device.id,
      vapid.subject,
      content,
      Number(headers.get('ttl')),
      headers.get('urgency') ?? 'normal',
      nowMs,
    )
    return new Response(null, { status: 201, headers: { location: `${PUSH_ORIGIN}/message/${id}` } })
  }
}

const errorResponse = (status: number, reason: string) => new Response(reason, { status })
