import { createHash, randomBytes } from 'node:crypto'

/** Returns random bytes as hexadecimal text. */
export const newSecret = (sizeBytes = 32): string => randomBytes(sizeBytes).toString('hex')

export const sha256Hex = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('hex')
