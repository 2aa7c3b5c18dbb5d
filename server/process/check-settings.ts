import { findBrowser } from '../agent/check/browser/find.ts'
import { type Config, ConfigError } from '../config.ts'
import { readRange } from '../lib/ip.ts'

/**
 * Refuses settings whose first use would come long after the start, or would be skipped without an error: a proxy that is no address, and
 * a browser that this user cannot run, without which builds would only render an app's pages to markup. Throws `ConfigError`.
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
