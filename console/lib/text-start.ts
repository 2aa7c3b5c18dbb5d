/**
 * Returns the first `charsMax` characters at most, without half of a pair of surrogates at the end: the address of a request cannot contain
 * one, and a text would show it as �.
 */
export const textStart = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
