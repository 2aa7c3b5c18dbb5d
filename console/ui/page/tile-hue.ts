/** A hue that belongs to an id: the same project has the same colour everywhere. */
export function tileHue(id: string): number {
  // FNV-1a: ids made in the same minute differ in their last characters only.
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % 360
}
