const BROWSER_NAMES = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEM_NAMES = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['Linux', 'Linux'],
] as const

/** Returns a readable name for a user agent, such as "Firefox on Windows". */
export function deviceName(userAgent: string): string {
  const findName = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1]
  const [browser, system] = [findName(BROWSER_NAMES), findName(SYSTEM_NAMES)]
  return browser === undefined ? 'Unknown device' : system === undefined ? browser : `${browser} on ${system}`
}
