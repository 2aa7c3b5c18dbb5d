import { createDecipheriv, createECDH, createPublicKey, hkdfSync, verify } from 'node:crypto'

const VAPID_CURVE = 'prime256v1'
/** The first byte of a point that has both coordinates (SEC 1). */
const UNCOMPRESSED_POINT = 4
const DAY_SECONDS = 86_400

/**
 * Checks the VAPID header of a send request (RFC 8292). Returns the subject of its token, or the reason why the request is refused.
 * `senderKey` is the public key given when the device subscribed.
 */
export function readVapid(
  header: string | null,
  { origin, senderKey, nowMs }: { origin: string; senderKey: string; nowMs: number },
): { subject: string } | { problem: string } {
  const { t: token = '', k: key = '' } = readParameters(header ?? '')
  if (!/^[\w.-]+$/.test(token) || !/^[\w-]+$/.test(key)) return { problem: 'no vapid token' }
  if (key !== senderKey) return { problem: 'the key is not the one that the device subscribed with' }
  const [head = '', claims = '', signature = ''] = token.split('.')
  if (!isSigned(`${head}.${claims}`, signature, key)) return { problem: 'the signature is wrong' }
  const [headPart, claimsPart] = [parseTokenPart(head), parseTokenPart(claims)]
  if (headPart === null || claimsPart === null) return { problem: 'the token is not a JSON object' }
  const { alg } = headPart
  const { aud, exp, sub } = claimsPart
  if (alg !== 'ES256') return { problem: 'the algorithm is not ES256' }
  if (aud !== origin) return { problem: 'the token is for another push service' }
  const seconds = nowMs / 1000
  if (typeof exp !== 'number' || exp <= seconds || exp > seconds + DAY_SECONDS)
    return { problem: 'the token has expired, or lasts for more than a day' }
  if (typeof sub !== 'string' || !/^(mailto:|https:\/\/)/.test(sub)) return { problem: 'no subject' }
  return { subject: sub }
}

/** Returns the header's parameters by name, whatever their order. */
function readParameters(header: string): Partial<Record<string, string>> {
  const text = /^vapid +(.+)$/i.exec(header)?.[1] ?? ''
  return Object.fromEntries(
    [...text.matchAll(/(?:^|,) *([a-z]+)=([^,]*?) *(?=,|$)/gi)].map(([, name = '', value = '']) => [
      name.toLowerCase(),
      value,
    ]),
  )
}

function isSigned(content: string, signature: string, key: string): boolean {
  const point = Buffer.from(key, 'base64url')
  if (point.length !== 65 || point[0] !== UNCOMPRESSED_POINT) return false
  const [x, y] = [point.subarray(1, 33).toString('base64url'), point.subarray(33).toString('base64url')]
  const bytes = Buffer.from(signature, 'base64url')
  try {
    const publicKey = createPublicKey({ key: { kty: 'EC', crv: 'P-256', x, y }, format: 'jwk' })
    return verify('sha256', Buffer.from(content), { key: publicKey, dsaEncoding: 'ieee-p1363' }, bytes)
  } catch {
    // The point is not on the curve.
    return false
  }
}

function parseTokenPart(part: string): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString())
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : null
  } catch {
    return null
  }
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
