import { createHash, randomBytes } from 'node:crypto'

/** 32 hex digits, the provider's usual kind of id. */
export function hexId(): string {
  return randomBytes(16).toString('hex')
}

/** A secret nobody can guess, with a readable beginning. */
export function newSecret(prefix: string): string {
  return prefix + randomBytes(30).toString('base64url')
}

export function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex')
}
