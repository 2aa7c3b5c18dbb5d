const UNUSED_WEIGHTS = 'duotone|light|thin'
const ENTRY_PATTERN = new RegExp(`\\n {2}\\[\\n {4}"(?:${UNUSED_WEIGHTS})",[^]*?\\n {2}\\],?`, 'g')
const USE_PATTERN = new RegExp(`weight="(?:${UNUSED_WEIGHTS})"`)

export const isIcon = (id: string): boolean => id.includes('/@phosphor-icons/react/dist/defs/')

/**
 * Removes the three icon weights that no screen uses. They are half of the bytes of an icon, and the first
 * view has a dozen icons. Throws when the package has changed the format of its icon files.
 */
export function withoutUnusedWeights(icon: string, id: string): string {
  const lean = icon.replaceAll(ENTRY_PATTERN, '')
  if (lean === icon) throw new Error(`${id} is not written as expected: see icon-weights.ts`)
  return lean
}

/** Throws when a screen uses a weight that is removed. */
export function assertKnownWeights(source: string, id: string): void {
  const use = USE_PATTERN.exec(source)
  if (use) throw new Error(`${id}: ${use[0]} is left out of the icons, see icon-weights.ts`)
}
