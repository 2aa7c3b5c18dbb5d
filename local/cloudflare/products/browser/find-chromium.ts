import { existsSync } from 'node:fs'

/** Where systems put it. */
const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/** The browser of this machine, or null. A path that was given is believed or refused, never replaced. */
export function findChromium(given: string | null): string | null {
  return (given === null ? PLACES : [given]).find((path) => existsSync(path)) ?? null
}
