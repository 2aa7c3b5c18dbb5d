import { createPrivateKey, createPublicKey, sign } from 'node:crypto'
import type { Keyring } from '../crypto/keyring.ts'

/** What the holder of a token may do; the upload worker reads it (`runtime/workers/assets/token.ts`). */
export type Grant =
  | {
      use: 'put'
      key: string
      exp: number
      jti: string
      contentType: string
      sizeBytes: number
      sha256?: string
    }
  | { use: 'get'; key: string; exp: number }
  | { use: 'place'; key: string; exp: number; from: string; access: string }
  | { use: 'stamp'; key: string; exp: number; access: string }

/** The pair that speaks for a project: the worker holds the public half only, so nothing there can make a token. */
export interface UploadKey {
  /** Raw, base64url. */
  publicKey: string
  /** Answers `<payload>.<signature>`, both base64url. */
  grant(grant: Grant): string
}

// What comes before the 32 bytes of an Ed25519 private key in its DER form (RFC 8410, 7).
const PKCS8_PREFIX = Buffer.from('302e020100300506032b657004220420', 'hex')

/** Derived from the installation's secrets: nothing to store, and another project's pair is another one. */
export function uploadKeyOf(keyring: Keyring, projectId: string): UploadKey {
  const { bytes } = keyring.derive('upload-token', projectId)
  const der = Buffer.concat([PKCS8_PREFIX, bytes])
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  return {
    publicKey: String(createPublicKey(privateKey).export({ format: 'jwk' }).x),
    grant: (grant) => {
      const payload = Buffer.from(JSON.stringify(grant)).toString('base64url')
      return `${payload}.${sign(null, Buffer.from(payload), privateKey).toString('base64url')}`
    },
  }
}

/** `exp` of a token: whole seconds since 1970. */
export const expiryAfter = (now: Date, ms: number): number => Math.floor((now.getTime() + ms) / 1000)
