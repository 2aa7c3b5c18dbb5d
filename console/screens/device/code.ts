// The service's alphabet without its look-alikes; anything else a person types is decoration.
const CODE_CHARACTERS = /[A-HJ-NP-Z2-9]/g

/** What was typed or pasted, as codes are written; null when it cannot be one. Whether it is, the service says. */
export function readCode(typed: string): string | null {
  const characters = typed.toUpperCase().match(CODE_CHARACTERS) ?? []
  if (characters.length !== 8) return null
  return `${characters.slice(0, 4).join('')}-${characters.slice(4).join('')}`
}
