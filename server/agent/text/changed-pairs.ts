export interface ChangedPair {
  path: string
  before: string | null
  after: string | null
}

/** Returns the changed files sorted by path. `before` or `after` is null when that tree lacks the file. */
export function changedPairs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ChangedPair[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter((pair) => pair.before !== pair.after)
}
