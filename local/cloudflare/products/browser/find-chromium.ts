import { existsSync } from 'node:fs'

/**
 * The headless shell is Chromium without windows. It comes first, because it opens a page with half the CPU time. It is not started by
 * Debian's script in /usr/bin, because ending the script does not end the browser.
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

/** Returns the path of a browser; null when there is none. A given path that does not exist is not replaced by another browser. */
export function findChromium(given: string | null): string | null {
  return (given === null ? CHROMIUM_PATHS : [given]).find((path) => existsSync(path)) ?? null
}
