import { createCipheriv, createECDH, generateKeyPairSync, hkdfSync, randomBytes, sign } from 'node:crypto'

type KeyPair = ReturnType<typeof newKeyPair>
export const newKeyPair = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' })

/** Returns the public key as a point in base64url, as a page gives it to its browser. */
export function keyOf({ publicKey }: KeyPair): string {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return Buffer.concat([Buffer.of(4), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]).toString(
    'base64url',
  )
}

const encodePart = (part: object | string) =>
  Buffer.from(typeof part === 'string' ? part : JSON.stringify(part)).toString('base64url')

/** Returns a VAPID header that `pair` has signed. `named` is the key in the header. String claims are signed unchanged. */
export function makeVapid(
  claims: object | string,
  pair: KeyPair,
  {
    named = keyOf(pair),
    head = { typ: 'JWT', alg: 'ES256' },
  }: { named?: string; head?: object | string } = {},
): string {
  const content = `${encodePart(head)}.${encodePart(claims)}`
  const key = { key: pair.privateKey, dsaEncoding: 'ieee-p1363' as const }
  return `vapid t=${content}.${sign('sha256', Buffer.from(content), key).toString('base64url')}, k=${named}`
}

interface DeviceKeys {
  p256dh: string
  auth: string
}

/**
 * Encrypts a message according to RFC 8291, independently of the code under test. `padding` is the delimiter after the text, including the
 * zeros.
 */
export function encryptText(text: string, keys: DeviceKeys, padding: Uint8Array = Buffer.of(2)): Buffer {
  const pair = createECDH('prime256v1')
  const sender = pair.generateKeys()
  const receiver = Buffer.from(keys.p256dh, 'base64url')
  const salt = randomBytes(16)
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), receiver, sender])
  const auth = Buffer.from(keys.auth, 'base64url')
  const secret = Buffer.from(hkdfSync('sha256', pair.computeSecret(receiver), auth, info, 32))
  const deriveKey = (label: string, length: number) =>
    Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), length))
  const cipher = createCipheriv('aes-128-gcm', deriveKey('aes128gcm', 16), deriveKey('nonce', 12))
  const sealed = [cipher.update(Buffer.concat([Buffer.from(text), padding])), cipher.final()]
  return Buffer.concat([salt, Buffer.of(0, 0, 16, 0, 65), sender, ...sealed, cipher.getAuthTag()])
}
