import { findBrowser } from '../agent/check/browser/find.ts'
import { type Config, ConfigError } from '../config.ts'
import { readRange } from '../lib/ip.ts'

/**
 * Throws `ConfigError` for a wrong setting that would otherwise fail long after the start, or be skipped without an error: a proxy that is
 * not an address, or a browser that this user cannot execute. Without a browser, builds would only render an app's pages to markup.
 */
export function checkSettings({
  trustedProxies,
  chromium,
  seesPages,
}: Pick<Config, 'trustedProxies' | 'chromium' | 'seesPages'>): void {
  const wrong = trustedProxies.find((entry) => readRange(entry) === null)
  if (wrong !== undefined)
    throw new ConfigError(
      `SLIPWAY_TRUSTED_PROXIES: ${JSON.stringify(wrong)} is neither an address nor a CIDR.`,
    )
  if (chromium !== null && seesPages && findBrowser(chromium, '') === null)
    throw new ConfigError(
      `SLIPWAY_CHROMIUM: there is no program at ${JSON.stringify(chromium)} that this user may run. ` +
        'Leave it empty to search for a browser, or set SLIPWAY_SEE_PAGES=off.',
    )
}
