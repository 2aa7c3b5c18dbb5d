/** A file that differs between two trees; null where it does not exist. */
export interface ChangedPair {
  path: string
  before: string | null
  after: string | null
}

/** The files that differ between two trees, sorted by path. */
export function changedPairs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ChangedPair[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter((pair) => pair.before !== pair.after)
}
