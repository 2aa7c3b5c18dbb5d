/** The first match counts: most user agents also name Chrome or Safari. On an iPhone, browsers have separate names, such as `FxiOS`. */
const BROWSER_NAMES = [
  ['Edg', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['FxiOS/', 'Firefox'],
  ['CriOS/', 'Chrome'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEM_NAMES = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'Mac'],
  ['CrOS', 'ChromeOS'],
  ['Linux', 'Linux'],
] as const

/** Returns a readable name for a user agent, such as "Firefox on Windows". A web app on the home screen of an iPhone names no browser. */
export function deviceName(userAgent: string): string {
  const findName = (names: readonly (readonly [string, string])[]) =>
    names.find(([part]) => userAgent.includes(part))?.[1]
  const [browser, system] = [findName(BROWSER_NAMES), findName(SYSTEM_NAMES)]
  return [browser, system].filter((name) => name !== undefined).join(' on ') || 'Unknown device'
}
