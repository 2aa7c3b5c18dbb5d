/** A coloured tile by which a project is recognised. The tile is decorative, because the project's name is beside it. */
export function ProjectTile({ id, name, size }: { id: string; name: string; size: 'sm' | 'lg' }) {
  const hue = tileHue(id)
  const box = size === 'sm' ? 'size-[18px] rounded-[5px] text-[10px]' : 'size-10 rounded-[10px] text-[17px]'
  return (
    <span
      aria-hidden="true"
      className={`grid shrink-0 place-items-center font-semibold text-white ${box}`}
      style={{ background: `linear-gradient(150deg, oklch(0.56 0.11 ${hue}), oklch(0.42 0.1 ${hue + 18}))` }}
    >
      {Array.from(name.trim())[0]?.toUpperCase() ?? '·'}
    </span>
  )
}

/** A hue derived from an id, so that a project has the same colour everywhere. */
function tileHue(id: string): number {
  // FNV-1a, because it mixes well: ids of the same minute differ only in their last characters.
  let hash = 0x811c9dc5
  for (const character of id) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash % 360
}
