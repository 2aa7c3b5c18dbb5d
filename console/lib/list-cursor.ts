/** Returns the entry to which the cursor moves when `id` is removed: the next one, or the previous one at the end of the list. */
export function entryAfterRemoval(ids: string[], id: string): string | null {
  const at = ids.indexOf(id)
  return at < 0 ? null : (ids[at + 1] ?? ids[at - 1] ?? null)
}

/** Returns the entry after or before `from`, but stops at the ends. Returns the first entry when `from` is not in the list. */
export function neighbour(ids: string[], from: string | null, step: 1 | -1): string | null {
  const at = from === null ? -1 : ids.indexOf(from)
  if (at < 0) return ids[0] ?? null
  return ids[Math.min(ids.length - 1, Math.max(0, at + step))] ?? null
}
