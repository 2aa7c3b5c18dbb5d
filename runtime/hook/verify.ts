import { Buffer } from 'node:buffer'
import { timingSafeEqual } from 'node:crypto'
import { ApiError } from '../kernel/errors.ts'
import type { EndpointSettings } from './settings.ts'
import type { HookScheme, RawMessage } from './types.ts'
import { hmac, sha256, sha256Hex } from '../kernel/secrets.ts'
import { fieldsOf } from '../kernel/fields.ts'

/** How far the signed time may differ from now, in schemes that sign a time. */
const TOLERANCE_S = 300

type SchemeDetails = Pick<EndpointSettings, 'header' | 'encoding' | 'prefix' | 'signed'>

interface MessageToVerify extends RawMessage {
  secret: string
  nowMs: number
  details: SchemeDetails
}

interface SignatureScheme {
  /** Throws `unauthorized` unless the message is signed with the secret. In schemes that sign a time, it must also be recent. */
  check(message: MessageToVerify): void
  /** Headers that may contain the message's id, in lower case. */
  idHeaders?: readonly string[]
  /** The field of a JSON body that contains the message's id. */
  idField?: string
}

const rejectDelivery = (why: string): never => {
  throw new ApiError('unauthorized', why)
}

const MISSING_SIGNATURE = 'The signature is missing.'
const WRONG_SIGNATURE = 'The signature was made with another secret or over other bytes.'
const STALE_SIGNATURE = 'The signature is older or newer than five minutes.'

const isSame = (given: Uint8Array, wanted: Uint8Array): boolean =>
  given.length === wanted.length && timingSafeEqual(given, wanted)

/** Compare the encoded strings: decoding would ignore characters that are not hex or base64. */
const isSignature = (given: string, wanted: Buffer, encoding: 'hex' | 'base64'): boolean =>
  isSame(Buffer.from(given), Buffer.from(wanted.toString(encoding)))

function requireHeader({ headers }: RawMessage, name: string): string {
  const value = headers[name]
  return value === undefined || value === '' ? rejectDelivery(MISSING_SIGNATURE) : value
}

function requireRecent(seconds: string, nowMs: number): void {
  if (!/^\d{1,12}$/.test(seconds)) rejectDelivery(MISSING_SIGNATURE)
  if (Math.abs(nowMs / 1000 - Number(seconds)) > TOLERANCE_S) rejectDelivery(STALE_SIGNATURE)
}

const requireOneMatch = (isOne: boolean): void => {
  if (!isOne) rejectDelivery(WRONG_SIGNATURE)
}

/**
 * The format `t=<seconds>,v1=<hex>`, with several `v1` while a secret is being replaced. Stripe and Slipway's own webhooks use this format.
 */
const timedScheme = (header: string): SignatureScheme['check'] => {
  return (message) => {
    const parts = requireHeader(message, header)
      .split(',')
      .map((part) => part.trim().split('='))
    const valuesOf = (name: string) => parts.filter(([key]) => key === name).map(([, value]) => value ?? '')
    const [time = ''] = valuesOf('t')
    requireRecent(time, message.nowMs)
    const wanted = hmac(message.secret, `${time}.`, new Uint8Array(message.bytes))
    requireOneMatch(valuesOf('v1').some((given) => isSignature(given, wanted, 'hex')))
  }
}

/** A scheme whose header contains only a signature of the body. */
const plainScheme = (
  header: string,
  prefix: string,
  encoding: 'hex' | 'base64',
): SignatureScheme['check'] => {
  return (message) => {
    const given = requireHeader(message, header)
    const wanted = hmac(message.secret, new Uint8Array(message.bytes))
    requireOneMatch(given.startsWith(prefix) && isSignature(given.slice(prefix.length), wanted, encoding))
  }
}

/** Returns the key, which follows `whsec_` as base64. */
export const webhookKey = (secret: string): Uint8Array => Buffer.from(secret.replace(/^whsec_/, ''), 'base64')

export const standardSignature = (
  secret: string,
  { id, seconds, body }: { id: string; seconds: string; body: string | Uint8Array },
): string => `v1,${hmac(webhookKey(secret), `${id}.${seconds}.`, body).toString('base64')}`

const SIGNATURE_SCHEMES: Readonly<Record<HookScheme, SignatureScheme>> = {
  standard: {
    check: (message) => {
      const id = requireHeader(message, 'webhook-id')
      const seconds = requireHeader(message, 'webhook-timestamp')
      requireRecent(seconds, message.nowMs)
      const wanted = standardSignature(message.secret, { id, seconds, body: new Uint8Array(message.bytes) })
      const given = requireHeader(message, 'webhook-signature').split(' ')
      requireOneMatch(given.some((one) => isSame(Buffer.from(one), Buffer.from(wanted))))
    },
    idHeaders: ['webhook-id'],
  },
  stripe: { check: timedScheme('stripe-signature'), idField: 'id' },
  slipway: { check: timedScheme('service-signature'), idHeaders: ['service-delivery-id'] },
  github: { check: plainScheme('x-hub-signature-256', 'sha256=', 'hex'), idHeaders: ['x-github-delivery'] },
  shopify: {
    check: plainScheme('x-shopify-hmac-sha256', '', 'base64'),
    idHeaders: ['x-shopify-webhook-id', 'x-shopify-event-id'],
  },
  slack: {
    check: (message) => {
      const seconds = requireHeader(message, 'x-slack-request-timestamp')
      requireRecent(seconds, message.nowMs)
      const wanted = hmac(message.secret, `v0:${seconds}:`, new Uint8Array(message.bytes))
      const given = requireHeader(message, 'x-slack-signature')
      requireOneMatch(given.startsWith('v0=') && isSignature(given.slice(3), wanted, 'hex'))
    },
    idField: 'event_id',
  },
  token: {
    check: (message) => {
      const { header = 'authorization', prefix = header === 'authorization' ? 'Bearer ' : '' } =
        message.details
      const given = requireHeader(message, header.toLowerCase())
      const wanted = `${prefix}${message.secret}`
      // Compare hashes: the duration of comparing the tokens themselves would reveal their length.
      if (!timingSafeEqual(sha256(given), sha256(wanted))) rejectDelivery('The token is another one.')
    },
  },
  hmac: {
    check: (message) => {
      const { header = 'x-signature', encoding = 'hex', prefix = '', signed = '{body}' } = message.details
      const given = requireHeader(message, header.toLowerCase())
      const wanted = hmac(message.secret, ...signedParts(signed, message))
      requireOneMatch(given.startsWith(prefix) && isSignature(given.slice(prefix.length), wanted, encoding))
    },
  },
}

/**
 * Returns the parts of the signed text, with header values filled in. Throws when a header is missing, because its value would not be
 * verified.
 */
function signedParts(signed: string, message: RawMessage): (string | Uint8Array)[] {
  return signed
    .split(/(\{[\w-]+\})/)
    .filter((part) => part !== '')
    .map((part) => {
      const name = /^\{([\w-]+)\}$/.exec(part)?.[1]
      if (name === undefined) return part
      return name === 'body' ? new Uint8Array(message.bytes) : requireHeader(message, name.toLowerCase())
    })
}

/** Throws `unauthorized` unless the sender has signed the message with this secret. */
export function verifyMessage(
  scheme: HookScheme,
  message: RawMessage,
  { secret, details, nowMs }: { secret: string; details: SchemeDetails; nowMs: number },
): void {
  SIGNATURE_SCHEMES[scheme].check({ ...message, secret, details, nowMs })
}

const ID_CHARS_MAX = 200

/**
 * Returns the sender's id of a message. When the id is missing, or is not a string of at most 200 characters, returns a hash of the body,
 * so that equal bodies count as one message.
 */
export function deliveryIdOf(scheme: HookScheme, { headers, bytes }: RawMessage, body: unknown): string {
  const { idHeaders = [], idField } = SIGNATURE_SCHEMES[scheme]
  const fields = fieldsOf(body)
  const found = [...idHeaders.map((name) => headers[name]), idField === undefined ? null : fields[idField]]
  const id = found.find((one) => typeof one === 'string' && one !== '' && one.length <= ID_CHARS_MAX)
  return typeof id === 'string' ? id : sha256Hex(new Uint8Array(bytes))
}
