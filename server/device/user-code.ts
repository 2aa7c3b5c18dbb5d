import { randomInt } from 'node:crypto'
import { invalid } from '../http/errors.ts'

// Without I, O, 0 and 1, because a code is read from one screen and typed at another.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/** Eight characters without the dash, the form in which it is stored. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** With a dash, `XXXX-XXXX`, as people read it. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** Normalizes what a person typed; case, spaces and dashes do not matter. Throws 400 for anything else. */
export function readUserCode(text: string): string {
  const code = Array.from(text.toUpperCase())
    .filter((character) => ALPHABET.includes(character))
    .join('')
  if (code.length !== LENGTH) throw invalid('code', 'must be a code like WDJB-MJHT')
  return code
}
