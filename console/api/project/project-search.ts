const SEARCH_LENGTH_MAX = 48

/** Truncates a search to the API's limit: 48 characters, of which `%` and `_` count as two. */
export function truncateSearch(typed: string): string {
  let cost = 0
  let fitting = ''
  for (const character of typed.trim()) {
    cost += character === '%' || character === '_' ? 2 : character.length
    if (cost > SEARCH_LENGTH_MAX) return fitting
    fitting += character
  }
  return fitting
}
