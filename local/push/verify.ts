import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'

const VAPID_CURVE = 'prime256v1'
const DAY_SECONDS = 86_400

/**
 * Checks the VAPID header of a send request (RFC 8292). Returns the subject of its token, or the reason for
 * which the request is refused. `senderKey` is the public key given when the device subscribed.
 */
export function readVapid(
  header: string | null,
  { origin, senderKey, nowMs }: { origin: string; senderKey: string; nowMs: number },
): { subject: string } | { problem: string } {
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/i.exec(header ?? '') ?? []
  if (token === '') return { problem: 'no vapid token' }
  if (key !== senderKey) return { problem: 'the key is not the one that the device subscribed with' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (!isSigned(`${head}.${claims}`, signature, key)) return { problem: 'the signature is wrong' }
  const { alg } = parseTokenPart(head)
  const { aud, exp, sub } = parseTokenPart(claims)
  if (alg !== 'ES256') return { problem: 'the algorithm is not ES256' }
  if (aud !== origin) return { problem: 'the token is for another push service' }
  const seconds = nowMs / 1000
  if (typeof exp !== 'number' || exp <= seconds || exp > seconds + DAY_SECONDS)
    return { problem: 'the token has expired, or lasts for more than a day' }
  if (typeof sub !== 'string' || !/^(mailto:|https:\/\/)/.test(sub)) return { problem: 'no subject' }
  return { subject: sub }
}

function isSigned(content: string, signature: string, key: string): boolean {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65) return false
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
  const bytes = Buffer.from(signature, 'base64url')
  return verify('sha256', Buffer.from(content), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
}

function parseTokenPart(part: string): Record<string, unknown> {
  const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

/** Creates a key pair, encoded as base64url. */
export function newDeviceKeys(): { privateKey: string; publicKey: string } {
  const pair = createECDH(VAPID_CURVE)
  const publicKey = pair.generateKeys('base64url')
  return { privateKey: pair.getPrivateKey('base64url'), publicKey }
}

/**
 * Decrypts a push message, which consists of a single encrypted record (RFC 8188, RFC 8291). Throws when it
 * was not encrypted for this device.
 */
export function decryptMessage(
  message: Buffer,
  device: { privateKey: string; publicKey: string; auth: string },
): string {
  const salt = message.subarray(0, 16)
  const recordBytes = message.readUInt32BE(16)
  const sender = message.subarray(21, 21 + (message[20] ?? 0))
  const sealed = message.subarray(21 + sender.length)
  if (sender.length !== 65 || sealed.length > recordBytes) throw new Error('not one record of aes128gcm')
  const pair = createECDH(VAPID_CURVE)
  pair.setPrivateKey(device.privateKey, 'base64url')
  const receiver = Buffer.from(device.publicKey, 'base64url')
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const auth = Buffer.from(device.auth, 'base64url')
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(sender), auth, info, 32))
  const deriveKey = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
  const decipher = createDecipheriv('aes-128-gcm', deriveKey('aes128gcm', 16), deriveKey('nonce', 12))
  decipher.setAuthTag(sealed.subarray(-16))
  const plain = Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
  const end = plain.lastIndexOf(2)
  if (end === -1 || plain.subarray(end + 1).some((byte) => byte !== 0))
    throw new Error('the record has no end')
  return plain.subarray(0, end).toString()
}
