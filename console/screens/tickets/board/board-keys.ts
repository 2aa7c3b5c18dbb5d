/**
 * Returns the card at the same position in the nearest non-empty column to the right (`by` 1) or left (`by` -1), or the
 * last card of that column if it has fewer. Null when all columns on that side are empty.
 */
export function neighbourInRow(columns: string[][], from: string, by: 1 | -1): string | null {
  const at = columns.findIndex((ids) => ids.includes(from))
  if (at < 0) return null
  const height = columns[at]?.indexOf(from) ?? 0
  for (let next = at + by; next >= 0 && next < columns.length; next += by) {
    const ids = columns[next] ?? []
    if (ids.length > 0) return ids[Math.min(height, ids.length - 1)] ?? null
  }
  return null
}
