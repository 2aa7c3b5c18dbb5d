import { createHash, randomBytes } from 'node:crypto'

/** Returns `sizeBytes` random bytes as hexadecimal digits. */
export const newSecret = (sizeBytes = 32): string => randomBytes(sizeBytes).toString('hex')

/** Returns the SHA-256 of a text or of bytes as hexadecimal digits. */
export const hashOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
