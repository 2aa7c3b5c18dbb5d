import { randomInt } from 'node:crypto'
import { invalid } from '../http/errors.ts'

// No I, O, 0 or 1: what is read from one screen is typed at another.
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/** A new code for people, as it is stored: eight characters without the dash. */
export function newUserCode(): string {
  return Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** How a stored code is shown: `XXXX-XXXX`. */
export const showUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** What a person typed, as it is stored; case, spaces and dashes do not matter. Anything else is 400. */
export function readUserCode(text: string): string {
  const code = Array.from(text.toUpperCase())
    .filter((character) => ALPHABET.includes(character))
    .join('')
  if (code.length !== LENGTH) throw invalid('code', 'must be a code like WDJB-MJHT')
  return code
}
