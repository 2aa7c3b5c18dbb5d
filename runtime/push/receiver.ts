import { Buffer } from 'node:buffer'
import { contentKeys, ECDH_P256 } from './encrypt.ts'
import type { Subscription } from './types.ts'

/** Receives and decrypts notifications as a browser does, for tests of apps. */
export interface PushReceiver {
  subscription: Subscription
  /** Throws for a message that was encrypted for another device. */
  decrypt(message: Uint8Array): Promise<string>
}

export async function createPushReceiver(endpoint: string): Promise<PushReceiver> {
  const keys = await crypto.subtle.generateKey(ECDH_P256, true, ['deriveBits'])
  const receiver = new Uint8Array(await crypto.subtle.exportKey('raw', keys.publicKey))
  const auth = crypto.getRandomValues(new Uint8Array(16))
  return {
    subscription: {
      endpoint,
      keys: {
        p256dh: Buffer.from(receiver).toString('base64url'),
        auth: Buffer.from(auth).toString('base64url'),
      },
    },
    async decrypt(message) {
      const bytes = Uint8Array.from(message)
      const salt = bytes.slice(0, 16)
      const sealedAt = 21 + (bytes[20] ?? 0)
      const sender = bytes.slice(21, sealedAt)
      const point = await crypto.subtle.importKey('raw', sender, ECDH_P256, false, [])
      const shared = await crypto.subtle.deriveBits({ name: 'ECDH', public: point }, keys.privateKey, 256)
      const { key, nonce } = await contentKeys(shared, { auth, receiver, sender, salt })
      const aes = await crypto.subtle.importKey('raw', key, 'AES-GCM', false, ['decrypt'])
      const plain = await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, aes, bytes.slice(sealedAt))
      // Leave out the last byte, the delimiter that ends the record (RFC 8188).
      return new TextDecoder().decode(plain.slice(0, -1))
    },
  }
}
