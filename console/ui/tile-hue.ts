/** A hue that belongs to an id: the same project has the same colour everywhere. */
export function tileHue(id: string): number {
  let hash = 0
  for (const character of id) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 3600
  return hash % 360
}
