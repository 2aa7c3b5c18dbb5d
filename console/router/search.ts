/** Returns the search parameter if it is a non-empty string. */
export function textParam<K extends string>(name: K, search: Record<string, unknown>): { [P in K]?: string } {
  const value = search[name]
  return typeof value === 'string' && value !== '' ? ({ [name]: value } as { [P in K]?: string }) : {}
}

/** Returns the search parameter if it is one of the given words. */
export function oneOf<K extends string, T extends string>(
  name: K,
  allowed: readonly T[],
  search: Record<string, unknown>,
): { [P in K]?: T } {
  const known = allowed.find((item) => item === search[name])
  return known ? ({ [name]: known } as { [P in K]?: T }) : {}
}

/**
 * Parses parameters as plain strings. The router's own parser turns `?q=42` into a number, which `textParam` would leave out, because it
 * accepts only strings.
 */
export const parseSearch = (query: string): Record<string, string> =>
  Object.fromEntries(new URLSearchParams(query))

/** The inverse of `parseSearch`. Leaves out empty and undefined parameters. */
export function stringifySearch(search: Record<string, unknown>): string {
  const given = Object.entries(search).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  )
  return given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
}
