/** A hue derived from an id, so that a project has the same colour everywhere. */
export function tileHue(id: string): number {
  // FNV-1a, because it mixes well: ids of the same minute differ only in their last characters.
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % 360
}
