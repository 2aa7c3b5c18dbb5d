/** Parses JSON, or returns null: the provider's responses are not always JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
