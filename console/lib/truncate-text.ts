/**
 * Returns at most the first `charsMax` characters, without half of a surrogate pair at the end. A URL cannot contain such a half, and a
 * page would show it as �.
 */
export const truncateText = (text: string, charsMax: number): string =>
  text.slice(0, charsMax).replace(/[\uD800-\uDBFF]$/, '')
