const SEARCH_LENGTH_MAX = 48

/** Cuts a search to what the API takes: 48 characters, of which `%` and `_` cost two each. */
export function fitSearch(typed: string): string {
  let cost = 0
  let fitting = ''
  for (const character of typed.trim()) {
    cost += character === '%' || character === '_' ? 2 : character.length
    if (cost > SEARCH_LENGTH_MAX) return fitting
    fitting += character
  }
  return fitting
}
