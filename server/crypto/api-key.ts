import { createHash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

// A key is `svk_`, 32 random bytes as one base62 number, and a checksum. With the checksum a mistyped key is refused
// without a query, and secret scanners can distinguish a key from similar text.
const KEY_FORMAT = /^svk_[0-9A-Za-z]{49}$/
const KEY_BODY_CHARS = 47
const BASE62_ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** The length of the part of a key that may be shown and stored in plain text. */
const PREFIX_LENGTH = 12

export interface ApiKeyText {
  text: string
  hash: string
  prefix: string
}

/** Returns a new key. Its text is shown once and never stored. */
export const newApiKey = (): ApiKeyText => apiKeyOf(randomBytes(32))

/**
 * Returns the key with these bytes. Deterministic, so that a device sign-in can derive its key again instead
 * of storing it.
 */
export function apiKeyOf(bytes: Buffer): ApiKeyText {
  const body = `svk_${encodeBase62(BigInt(`0x${bytes.toString('hex')}`), 43)}`
  const text = body + checksumOf(body)
  return { text, hash: hashApiKey(text), prefix: text.slice(0, PREFIX_LENGTH) }
}

/** Returns whether `text` has the form and checksum of a key. Does not check that the key exists. */
export function isApiKey(text: string): boolean {
  return KEY_FORMAT.test(text) && checksumOf(text.slice(0, KEY_BODY_CHARS)) === text.slice(KEY_BODY_CHARS)
}

/** Returns the hash that is stored. A key is 256 random bits, so a fast hash is as safe as a slow one. */
export function hashApiKey(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

const checksumOf = (body: string): string => encodeBase62(BigInt(crc32(body)), 6)

function encodeBase62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value, i = 0; i < length; i++, rest /= 62n)
    text = BASE62_ALPHABET[Number(rest % 62n)] + text
  return text
}
