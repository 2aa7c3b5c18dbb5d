/**
 * Returns the first `charsMax` characters at most, without half of a surrogate pair at the end: a URL cannot contain
 * such a half, and a text would show it as �.
 */
export const textStart = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
