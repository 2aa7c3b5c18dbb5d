import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/**
 * Chromium without windows, which opens a page with half the CPU time. Debian's start script in /usr/bin is not used: when
 * a checker dies, the kernel ends only the process that chromium.sh has become, which would be the script and not Chromium.
 */
const DEBIAN_HEADLESS_SHELL = '/usr/lib/chromium/chromium-headless-shell'
const HEADLESS_SHELL_NAME = 'chrome-headless-shell'
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']
const PROGRAM_FOLDERS = ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome']
const MAC_BROWSER_PATHS = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
]

/**
 * Returns the path of a Chromium, or null. When `given` cannot be run, returns null and does not search for another browser. Without
 * `given`, prefers a headless shell. `searchPath` (in the format of the variable PATH) is searched before the usual folders.
 */
export function findBrowser(given: string | null, searchPath: string): string | null {
  if (given !== null) return mayRun(given) ? given : null
  const folders = [...searchPath.split(delimiter).filter((folder) => folder !== ''), ...PROGRAM_FOLDERS]
  const shells = [...folders.map((folder) => join(folder, HEADLESS_SHELL_NAME)), DEBIAN_HEADLESS_SHELL]
  const named = folders.flatMap((folder) => CHROMIUM_NAMES.map((name) => join(folder, name)))
  return [...shells, ...named, ...MAC_BROWSER_PATHS].find(mayRun) ?? null
}

function mayRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
