import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Keyring } from './keyring.ts'

/** A pair that speaks for one thing: whoever holds the public half can check a token and make none. */
export interface Signer {
  /** Raw Ed25519, base64url. */
  publicKey: string
  /** Answers `<payload>.<signature>`, both base64url. */
  sign(payload: object): string
}

// What comes before the 32 bytes of an Ed25519 private key in its DER form (RFC 8410, 7).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived from the installation's secrets: nothing to store, and another purpose or id has another pair. */
export function signerOf(keyring: Keyring, purpose: string, id: string): Signer {
  const { bytes } = keyring.derive(purpose, id)
  const der = Buffer.concat([PKCS8_PREFIX, bytes])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return {
    publicKey: String(createPublicKey(privateKey).export({ format: 'jwk' }).x),
    sign: (payload) => {
      const text = Buffer.from(JSON.stringify(payload)).toString('base64url')
      return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`
    },
  }
}
