/** Returns the IP address that the error message names; null when it names none. */
export function refusedAddress(sentence: string): string | null {
  return /\bfrom ([\da-f:.]*[\da-f])\b/i.exec(sentence)?.[1] ?? null
}
