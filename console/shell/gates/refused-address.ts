/** The address a refusal names; null when its sentence is another one. */
export function refusedAddress(sentence: string): string | null {
  return /\bfrom ([\da-f:.]*[\da-f])\b/i.exec(sentence)?.[1] ?? null
}
