import { createHash, randomBytes } from 'node:crypto'

/** Returns hexadecimal digits, two for each byte. */
export const newSecret = (sizeBytes = 32): string => randomBytes(sizeBytes).toString('hex')

/** SHA-256 as hexadecimal digits. */
export const hashOf = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex')
