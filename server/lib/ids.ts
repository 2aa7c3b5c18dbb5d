import { randomUUIDv7 } from 'node:crypto'

/** Every id prefix (docs/glossary.md#ids). The rows of the auth library have ids that the library makes. */
export type IdPrefix =
  | 'prj'
  | 'tkt'
  | 'run'
  | 'msg'
  | 'key'
  | 'mdl'
  | 'mail'
  | 'con'
  | 'evt'
  | 'his'
  | 'whe'
  | 'ing'
  | 'dep'
  | 'res'
  | 'act'
  | 'tsk'
  | 'req'
  | 'prod'
  | 'code'
  | 'hlp'
  | 'hlm'
  | 'hla'

const BASE32_ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** Returns a new id: the prefix, an underscore and 26 characters of base32 UUIDv7. Ids made in a later millisecond sort later. */
export function newId(prefix: IdPrefix): string {
  return `${prefix}_${encodeBase32(BigInt(`0x${randomUUIDv7().replaceAll('-', '')}`))}`
}

/**
 * Returns a new UUIDv7 that sorts after `previous`, a UUIDv7 or an empty string. A UUID that is generated in the same
 * millisecond, or after the clock was set back, may sort before `previous`; then `previous` plus one is returned.
 */
export function uuidAfter(previous: string): string {
  const id = randomUUIDv7()
  if (id > previous) return id
  const hex = (BigInt(`0x${previous.replaceAll('-', '')}`) + 1n).toString(16).padStart(32, '0')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}

function encodeBase32(value: bigint): string {
  let text = ''
  for (let rest = value, i = 0; i < 26; i++, rest >>= 5n) text = BASE32_ALPHABET[Number(rest & 31n)] + text
  return text
}

/** Returns whether `text` has the form of an id with this prefix. Does not check that the row exists. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return new RegExp(`^${prefix}_[0-9a-hjkmnp-tv-z]{26}$`).test(text)
}
