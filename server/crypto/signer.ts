import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Keyring } from './keyring.ts'

/** A key pair with which this service signs tokens for one purpose. The public key can verify the tokens but not create them. */
export interface Signer {
  /** The raw Ed25519 key in base64url. */
  publicKey: string
  /** Returns `<payload>.<signature>`, both base64url. */
  sign(payload: object): string
}

// The bytes before the 32-byte key in the DER form of an Ed25519 private key (RFC 8410, section 7).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/**
 * Returns the key pair of one purpose and id. It is derived from the installation's secrets each time, so it need not
 * be stored.
 */
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
