import { Buffer } from 'node:buffer'

/** Encodes bytes, or text as UTF-8. */
export const toBase64Url = (data: string | Uint8Array | ArrayBuffer): string =>
  Buffer.from(data as string).toString('base64url')

/** Decodes base64url and base64. Ignores all other characters. */
export const fromBase64Url = (text: string): Uint8Array<ArrayBuffer> =>
  copyBytes(Buffer.from(text, 'base64url'))

export const joinBytes = (...parts: Uint8Array[]): Uint8Array<ArrayBuffer> => copyBytes(Buffer.concat(parts))

/** A Buffer can be a view of a larger ArrayBuffer. The copy has its own ArrayBuffer, so that `.buffer` contains only these bytes. */
const copyBytes = (buffer: Buffer): Uint8Array<ArrayBuffer> => Uint8Array.from(buffer)
