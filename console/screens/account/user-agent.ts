/**
 * The first match wins. The order matters: Edge, for example, also names Chrome and Safari in its
 * `User-Agent`.
 */
const BROWSER_PATTERNS: [RegExp, string][] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bVivaldi\//, 'Vivaldi'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Headless)?(?:Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]
const SYSTEM_PATTERNS: [RegExp, string][] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

/**
 * Returns the browser and the operating system of a `User-Agent`. For another program, such as a script,
 * `program` is the first word of the header.
 */
export function parseUserAgent(userAgent: string | null): { program: string | null; system: string | null } {
  const text = userAgent ?? ''
  const find = (names: [RegExp, string][]) => names.find(([pattern]) => pattern.test(text))?.[1] ?? null
  const word = /^[\w.-]{1,40}/.exec(text)?.[0] ?? null
  return {
    program: find(BROWSER_PATTERNS) ?? (word === 'Mozilla' ? null : word),
    system: find(SYSTEM_PATTERNS),
  }
}

/** Returns an IP address in its shortest form. The service stores IPv6 addresses with all their zeros. */
export function shortAddress(address: string): string {
  if (!address.includes(':')) return address
  const url = `http://[${address}]/`
  return URL.canParse(url) ? new URL(url).hostname.slice(1, -1) : address
}
