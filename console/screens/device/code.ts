// The characters of the service's codes, without easily confused ones. All other characters are ignored.
const CODE_CHARACTERS = /[A-HJ-NP-Z2-9]/g

/**
 * Normalizes a typed or pasted code. Null when it has the wrong length. Only the service knows whether the
 * code is valid.
 */
export function readCode(typed: string): string | null {
  const characters = typed.toUpperCase().match(CODE_CHARACTERS) ?? []
  if (characters.length !== 8) return null
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}
