import { createHash, randomBytes } from 'node:crypto'

/** The id of the only OAuth client of the stand-ins, Slipway itself. It is registered in advance; all others are refused as unknown. */
export const BUILT_IN_CLIENT = 'slipway-local'

/** Returns 32 random hex digits, the usual form of the provider's ids. */
export function hexId(): string {
  return randomBytes(16).toString('hex')
}

/** Returns a secret. Its prefix shows what kind of secret it is. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(30).toString('base64url')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
