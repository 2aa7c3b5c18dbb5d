import { isRecord } from './is-record.ts'

/** How far the time of a signature may be from now, in either direction. */
const TOLERANCE_SECONDS = 300

// Accept only one form of the header, because another verifier may refuse what a lenient one accepts.
const HEADER_FORMAT = /^t=(0|[1-9][0-9]{0,11}),v1=([0-9a-f]{64})$/

export interface WebhookEvent {
  /** The same for every retry, so that a receiver can ignore an id that it has seen before. */
  id: string
  type: string
  projectId: string
  /** Milliseconds since the epoch. Events are ordered by this time. */
  createdAt: number
  data: Record<string, unknown>
}

/**
 * Why a body must not be trusted. `malformed`: the header has another format. `stale`: its time is too far from now.
 * `wrong`: another secret or other bytes were signed. `body`: the signature is valid, but the body is not an event.
 */
export type WebhookProblem = 'malformed' | 'stale' | 'wrong' | 'body'

const PROBLEM_SENTENCES: Record<WebhookProblem, string> = {
  malformed: 'The signature header is missing or has another form than t=<seconds>,v1=<64 hex digits>.',
  stale: 'The signature is older or newer than the tolerance allows.',
  wrong: 'The signature was made with another secret or over other bytes.',
  body: 'The body is signed rightly, but it is not an event.',
}

/** Thrown when a body must not be trusted. `problem` says why. */
export class WebhookSignatureError extends Error {
  readonly problem: WebhookProblem

  constructor(problem: WebhookProblem) {
    super(PROBLEM_SENTENCES[problem])
    this.name = 'WebhookSignatureError'
    this.problem = problem
  }
}

export interface VerifyInput {
  /** The raw bytes of the body as they arrived, before any parser. */
  payload: string | Uint8Array
  /** The value of the header `Service-Signature`. */
  header: string | null | undefined
  /** The whole secret, including `whsec_`. */
  secret: string
  /** How many seconds the time of the signature may differ from `now`; 300 by default. `Infinity` accepts any time. */
  toleranceSeconds?: number
  now?: Date
}

/** Returns the event of a correctly signed body. Otherwise throws a `WebhookSignatureError` with the reason. */
export async function verifyWebhook(input: VerifyInput): Promise<WebhookEvent> {
  await verifySignature(input)
  const event = parseEvent(input.payload)
  if (event === null) throw new WebhookSignatureError('body')
  return event
}

/** Throws unless the header signs exactly these bytes with this secret, at a time that differs little enough from `now`. */
export async function verifySignature(input: VerifyInput): Promise<void> {
  const { toleranceSeconds = TOLERANCE_SECONDS, now = new Date() } = input
  const [, t, v1] = HEADER_FORMAT.exec(input.header ?? '') ?? []
  if (t === undefined || v1 === undefined) throw new WebhookSignatureError('malformed')
  const key = await importHmacKey(input.secret, 'verify')
  // `verify` compares in constant time.
  const isRight = await crypto.subtle.verify('HMAC', key, bytesOfHex(v1), signedBytes(t, input.payload))
  if (!isRight) throw new WebhookSignatureError('wrong')
  // Check the time last, so that only a time that the sender has signed is reported as stale.
  // Written so that it also throws when the tolerance or `now` is not a number.
  if (!(Math.abs(Math.floor(now.getTime() / 1000) - Number(t)) <= toleranceSeconds))
    throw new WebhookSignatureError('stale')
}

/** Returns the `Service-Signature` of a body sent at `now`, for posts to an ingest source and for tests of a receiver. */
export async function signWebhook(input: {
  payload: string | Uint8Array
  secret: string
  now?: Date
}): Promise<string> {
  const t = String(Math.floor((input.now ?? new Date()).getTime() / 1000))
  const key = await importHmacKey(input.secret, 'sign')
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signedBytes(t, input.payload)))
  return `t=${t},v1=${hexOf(mac)}`
}

const textEncoder = new TextEncoder()

function importHmacKey(secret: string, use: 'sign' | 'verify'): Promise<CryptoKey> {
  return crypto.subtle.importKey(
    'raw',
    textEncoder.encode(secret),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    [use],
  )
}

function signedBytes(t: string, payload: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const head = textEncoder.encode(`${t}.`)
  const body = typeof payload === 'string' ? textEncoder.encode(payload) : payload
  const bytes = new Uint8Array(head.length + body.length)
  bytes.set(head)
  bytes.set(body, head.length)
  return bytes
}

const bytesOfHex = (hex: string) =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16))

const hexOf = (bytes: Uint8Array) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

const isEvent = (value: unknown): value is WebhookEvent =>
  isRecord(value) && typeof value['id'] === 'string' && typeof value['type'] === 'string'

function parseEvent(payload: string | Uint8Array): WebhookEvent | null {
  try {
    const text = typeof payload === 'string' ? payload : new TextDecoder().decode(payload)
    const event = JSON.parse(text)
    return isEvent(event) ? event : null
  } catch {
    return null
  }
}
