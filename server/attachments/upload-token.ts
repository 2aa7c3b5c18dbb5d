import type { Keyring } from '../crypto/keyring.ts'
import { signerOf } from '../crypto/signer.ts'

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
  | { use: 'empty'; key: ''; exp: number }

/** The pair that speaks for a project: the worker holds the public half only, so nothing there can make a token. */
export interface UploadKey {
  /** Raw, base64url. */
  publicKey: string
  /** Answers `<payload>.<signature>`, both base64url. */
  grant(grant: Grant): string
}

/** Derived from the installation's secrets: nothing to store, and another project's pair is another one. */
export function uploadKeyOf(keyring: Keyring, projectId: string): UploadKey {
  const { publicKey, sign } = signerOf(keyring, 'upload-token', projectId)
  return { publicKey, grant: sign }
}

/** `exp` of a token: whole seconds since 1970. */
export const expiryAfter = (now: Date, ms: number): number => Math.floor((now.getTime() + ms) / 1000)
