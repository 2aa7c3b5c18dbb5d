export interface ChangedPair {
  path: string
  before: string | null
  after: string | null
}

/** Sorted by path; `null` is the text of a file that does not exist in one of the trees. */
export function changedPairs(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): ChangedPair[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .sort()
    .map((path) => ({ path, before: before.get(path) ?? null, after: after.get(path) ?? null }))
    .filter((pair) => pair.before !== pair.after)
}
