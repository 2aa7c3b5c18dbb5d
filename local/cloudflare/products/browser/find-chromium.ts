import { existsSync } from 'node:fs'

/**
 * The headless shell, which is Chromium without windows, comes first, because it opens a page with half the CPU time. Debian's
 * script in /usr/bin is not used, because ending the script does not end the browser.
 */
const CHROMIUM_PATHS = [
  '/usr/lib/chromium/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** Returns the path of a browser; null when none exists. With `given`, checks only that path. */
export function findChromium(given: string | null): string | null {
  return (given === null ? CHROMIUM_PATHS : [given]).find((path) => existsSync(path)) ?? null
}
