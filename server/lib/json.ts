/** Parses JSON. Returns null for other text, because providers do not always respond with JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
