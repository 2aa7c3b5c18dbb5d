/** The value of a search parameter when it is a text that says something. */
export function text<K extends string>(name: K, search: Record<string, unknown>): { [P in K]?: string } {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [P in K]?: string }) : {}
}

/** The value of a search parameter when it is one of the known words. */
export function oneOf<K extends string, T extends string>(
  name: K,
  allowed: readonly T[],
  search: Record<string, unknown>,
): { [P in K]?: T } {
  const known = allowed.find((item) => item === search[name])
  return known ? ({ [name]: known } as { [P in K]?: T }) : {}
}

/** Parameters as plain words: without it `?q=42` would be a number and lost. */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query))

/** The counterpart; what is not set is left out. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
