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
