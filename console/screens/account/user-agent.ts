/** The first match counts: browsers also contain the names of those they imitate. */
const BROWSERS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Reads the program and the system from a `User-Agent`; a program that is not a browser is named by its first
 * word.
 */
export function parseUserAgent(userAgent: string | null): { program: string | null; system: string | null } {
  const text = userAgent ?? ''
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1] ?? null
  const word = /^[\w.-]{1,40}/.exec(text)?.[0] ?? null
  return { program: find(BROWSERS) ?? (word === 'Mozilla' ? null : word), system: find(SYSTEMS) }
}

/** An address in its usual form; IPv6 addresses are stored with all their zeros. */
export function shortAddress(address: string): string {
  if (!address.includes(':')) return address
  const url = `http://[${address}]/`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address
}
