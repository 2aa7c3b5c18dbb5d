export interface ChangedPair {
  path: string
  before: string | null
  after: string | null
}

/** Returns the changed files sorted by path. `null` is the text of a file that one of the trees lacks. */
export function changedPairs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ChangedPair[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter((pair) => pair.before !== pair.after)
}
