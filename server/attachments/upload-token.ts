import * as z from 'zod'
import type { Keyring } from '../crypto/keyring.ts'
import { signerOf } from '../crypto/signer.ts'

/** What a token allows its holder to do; read by the upload worker (`runtime/workers/assets/token.ts`). */
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

/** The key pair of a project. The worker holds only the public half, so it cannot create a token. */
export interface UploadKey {
  /** Raw, base64url. */
  publicKey: string
  /** Returns `<payload>.<signature>`, both base64url. */
  grant(grant: Grant): string
}

/** Derived from the installation's secrets, so nothing is stored; every project has its own pair. */
export function uploadKeyOf(keyring: Keyring, projectId: string): UploadKey {
  const { publicKey, sign } = signerOf(keyring, 'upload-token', projectId)
  return { publicKey, grant: sign }
}

/** Whole seconds since the epoch, rounded down. */
export const expiryAfter = (now: Date, ms: number): number => Math.floor((now.getTime() + ms) / 1000)

/** The response of `upload-init`, for attachments and assets alike. */
export const UploadTicket = z
  .object({
    key: z.string().describe('Names the upload in `finalize`; of an attachment, also the file in messages.'),
    token: z.string().describe('For one upload of exactly what was announced; valid for 15 minutes.'),
    uploadUrl: z.string().describe('PUT the bytes here.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'UploadTicket' })
