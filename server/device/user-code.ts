import { randomInt } from 'node:crypto'
import { invalid } from '../http/errors.ts'

// I, O, 0 and 1 are left out, because a code is read from one screen and typed on another.
const CODE_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const CODE_LENGTH = 8

/** Returns a code of eight characters without a dash, as it is stored. */
export function newUserCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => CODE_ALPHABET[randomInt(CODE_ALPHABET.length)]).join('')
}

/** Returns a code with a dash, `XXXX-XXXX`, as people read it. */
export const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes a code that a person typed: case, spaces and dashes do not matter. Throws a 400 for text that is not a code. */
export function readUserCode(text: string): string {
  const code = Array.from(text.toUpperCase())
    .filter((character) => CODE_ALPHABET.includes(character))
    .join('')
  if (code.length !== CODE_LENGTH) throw invalid('code', 'must be a code like WDJB-MJHT')
  return code
}
