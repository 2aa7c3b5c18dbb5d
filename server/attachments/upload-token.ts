import * as z from 'zod'
import type { Ports } from '../platform.ts'

/** What a token allows its holder to do. The upload worker reads it (`runtime/workers/assets/token.ts`). */
export type TokenGrant =
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

/** The key pair that signs a project's upload tokens. The worker has only the public key, so it cannot create a token. */
export interface UploadKey {
  /** The raw bytes of the key in base64url. */
  publicKey: string
  /** Returns `<payload>.<signature>`, both base64url. */
  grant(grant: TokenGrant): string
}

/** Returns the key pair of a project. It is derived from the installation's secrets, so it is not stored. */
export function uploadKeyOf({ accounts }: Pick<Ports, 'accounts'>, project: { id: string }): UploadKey {
  const { publicKey, sign } = accounts.workerSigner('upload-token', project)
  return { publicKey, grant: sign }
}

/** Returns the expiry in whole seconds since the epoch, rounded down. */
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
