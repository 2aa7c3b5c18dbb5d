/** Choices made while the browser blocks storage. They are lost when the page closes. */
const unstored = new Map<string, string>()

/** Returns the stored text of a choice, or null. A browser that blocks storage throws as soon as `localStorage` is read. */
export function readChoice(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return unstored.get(key) ?? null
  }
}

/** Stores the text of a choice for all pages of this browser, or for this page alone when the browser blocks storage. */
export function storeChoice(key: string, choice: string): void {
  try {
    localStorage.setItem(key, choice)
  } catch {
    unstored.set(key, choice)
  }
}
