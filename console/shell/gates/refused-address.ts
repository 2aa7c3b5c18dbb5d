/** The address named in the error message; null when there is none. */
export function refusedAddress(sentence: string): string | null {
  return /\bfrom ([\da-f:.]*[\da-f])\b/i.exec(sentence)?.[1] ?? null
}
