import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type * as MiniflareModule from 'miniflare'
import { SystemAccount, changeOwner } from '../../world/account.ts'
import { minimizeConfig } from './lean-config.ts'

/**
 * Exports Miniflare with one change: before it starts workerd, it passes the configuration to `ownConfig`, which removes services to save
 * memory. Miniflare has no option for that, so the source line that serializes the configuration is replaced while the package is loaded.
 * In a version of Miniflare without that line, nothing is removed, and `miniflare.test.ts` fails.
 */

const WRITES_CONFIG = 'const configBuffer = serializeConfig(config4);'
const WRITES_OWN_CONFIG =
  'const configBuffer = serializeConfig(module.exports.ownConfig(config4, this.#sharedOpts.unsafeRuntimeEnv));'

const require = createRequire(import.meta.url)
const miniflareUrl = pathToFileURL(require.resolve('miniflare')).href
const loadHooks = registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    return url === miniflareUrl ? { ...loaded, source: withOwnConfig(loaded.source) } : loaded
  },
})
const miniflare = require('miniflare') as typeof MiniflareModule
loadHooks.deregister()
Object.assign(miniflare, { ownConfig })

export const { Log, LogLevel, Miniflare, Response } = miniflare

function withOwnConfig(source: unknown): string {
  const text = Buffer.isBuffer(source) ? source.toString('utf8') : String(source)
  return text.replace(WRITES_CONFIG, WRITES_OWN_CONFIG)
}

/** Returns a configuration with fewer services. When workerd runs as another OS user, makes that user the owner of workerd's folders. */
function ownConfig(config: MiniflareModule.Config, env: Record<string, string> = {}): MiniflareModule.Config {
  const lean = minimizeConfig(config)
  const text = env['SLIPWAY_ACCOUNT']
  if (text !== undefined) {
    const account = SystemAccount.parse(JSON.parse(text))
    for (const service of lean.services ?? []) {
      const path = 'disk' in service ? service.disk?.path : undefined
      if (path !== undefined) changeOwner(path, account)
    }
  }
  return lean
}
