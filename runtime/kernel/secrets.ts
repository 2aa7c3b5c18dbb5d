import type { Buffer } from 'node:buffer'
import { createHash, createHmac, randomBytes } from 'node:crypto'

/** Returns random bytes as hexadecimal text. */
export const newSecret = (sizeBytes = 32): string => randomBytes(sizeBytes).toString('hex')

/** Returns a random key of 32 bytes as base64. */
export const newKey = (): string => randomBytes(32).toString('base64')

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest()

export const sha256Hex = (data: string | Uint8Array): string => sha256(data).toString('hex')

/** Returns the HMAC-SHA256 of the concatenated parts. */
export function hmac(key: string | Uint8Array, ...parts: readonly (string | Uint8Array)[]): Buffer {
  const mac = createHmac('sha256', key)
  for (const part of parts) mac.update(part)
  return mac.digest()
}
