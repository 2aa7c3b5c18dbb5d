import { fromBase64Url, joinBytes } from '../kernel/bytes.ts'
import type { Subscription } from './types.ts'

type BufferBytes = Uint8Array<ArrayBuffer>

export const ECDH_P256 = { name: 'ECDH', namedCurve: 'P-256' }
/** The record size in the header of a message (RFC 8188). Every message is a single record, which may be shorter. */
const RECORD_BYTES = 4096
/** The byte that ends the plaintext of the last record. */
const LAST_RECORD_BYTE = 2

/** Random values, new for each message. A test passes the values of the RFC. */
export interface RandomValues {
  salt: BufferBytes
  keys: { publicKey: CryptoKey; privateKey: CryptoKey }
}

/** Returns whether these can be a browser's keys: a point on the P-256 curve and a secret of 16 bytes. */
export async function areValidPushKeys({ p256dh, auth }: Subscription['keys']): Promise<boolean> {
  if (fromBase64Url(auth).length !== 16) return false
  return await importPublicKey(p256dh).then(
    () => true,
    () => false,
  )
}

const importPublicKey = (text: string) =>
  crypto.subtle.importKey('raw', fromBase64Url(text), ECDH_P256, false, [])

async function newEphemeral(): Promise<RandomValues> {
  const keys = await crypto.subtle.generateKey(ECDH_P256, false, ['deriveBits'])
  return { salt: crypto.getRandomValues(new Uint8Array(16)), keys }
}

/** Encrypts a payload for a device (`aes128gcm`, RFC 8291). */
export async function encrypt(
  payload: string,
  { p256dh, auth }: Subscription['keys'],
  ephemeral?: RandomValues,
): Promise<BufferBytes> {
  const { salt, keys } = ephemeral ?? (await newEphemeral())
  const senderKey = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey))
  const shared = await crypto.subtle.deriveBits(
    { name: 'ECDH', public: await importPublicKey(p256dh) },
    keys.privateKey,
    256,
  )
  const { key, nonce } = await contentKeys(shared, {
    auth: fromBase64Url(auth),
    receiver: fromBase64Url(p256dh),
    sender: senderKey,
    salt,
  })
  const header = new Uint8Array(5)
  new DataView(header.buffer).setUint32(0, RECORD_BYTES)
  header[4] = senderKey.length
  const plain = joinBytes(new TextEncoder().encode(payload), Uint8Array.of(LAST_RECORD_BYTE))
  const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['encrypt'])
  const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, aes, plain)
  return joinBytes(salt, header, senderKey, new Uint8Array(sealed))
}

/** Derives the key and the nonce that sender and receiver share. */
export async function contentKeys(
  shared: ArrayBuffer,
  {
    auth,
    receiver,
    sender,
    salt,
  }: { auth: BufferBytes; receiver: BufferBytes; sender: BufferBytes; salt: BufferBytes },
): Promise<{ key: BufferBytes; nonce: BufferBytes }> {
  const info = (text: string) => new TextEncoder().encode(`${text}\0`)
  const secret = await deriveHkdf(shared, auth, joinBytes(info('WebPush: info'), receiver, sender), 32)
  return {
    key: await deriveHkdf(secret, salt, info('Content-Encoding: aes128gcm'), 16),
    nonce: await deriveHkdf(secret, salt, info('Content-Encoding: nonce'), 12),
  }
}

async function deriveHkdf(
  secret: ArrayBuffer | BufferBytes,
  salt: BufferBytes,
  info: BufferBytes,
  length: number,
): Promise<BufferBytes> {
  const key = await crypto.subtle.importKey('raw', secret, 'HKDF', false, ['deriveBits'])
  return new Uint8Array(
    await crypto.subtle.deriveBits({ name: 'HKDF', hash: 'SHA-256', salt, info }, key, length * 8),
  )
}
