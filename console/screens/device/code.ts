// The service's alphabet, without characters that are easily confused; all others are ignored.
const CODE_CHARACTERS = /[A-HJ-NP-Z2-9]/g

/**
 * Normalises a typed or pasted code; null when it cannot be one. Only the service knows whether it is valid.
 */
export function readCode(typed: string): string | null {
  const characters = typed.toUpperCase().match(CODE_CHARACTERS) ?? []
  if (characters.length !== 8) return null
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}
