/** Parses JSON, or returns null: responses of providers are not always JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
