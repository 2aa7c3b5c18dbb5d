import { createHash, randomBytes } from 'node:crypto'

/** 32 random hex digits, the provider's usual kind of id. */
export function hexId(): string {
  return randomBytes(16).toString('hex')
}

/** The prefix makes the kind of secret readable. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(30).toString('base64url')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
