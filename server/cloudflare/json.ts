/** The value a JSON text stands for, or null for anything else: what a provider sends is not always JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
