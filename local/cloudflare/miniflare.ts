import { createRequire, registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import type * as MiniflareModule from 'miniflare'
import { leanConfig } from './lean-config.ts'

/**
 * Miniflare, whose configuration for workerd passes through `leanConfig`. It offers no place for that, so the one line
 * that writes the configuration down is put in words of ours while it is loaded. Where the line is not found (another
 * version) Miniflare runs as it is, and takes more memory; `miniflare.test.ts` fails then.
 */

const WRITES_CONFIG = 'const configBuffer = serializeConfig(config4);'
const WRITES_LEAN_CONFIG = 'const configBuffer = serializeConfig(module.exports.leanConfig(config4));'

const require = createRequire(import.meta.url)
const location = pathToFileURL(require.resolve('miniflare')).href
const hooks = registerHooks({
  load: (url, context, next) => {
    const loaded = next(url, context)
    return url === location ? { ...loaded, source: withLeanConfig(loaded.source) } : loaded
  },
})
const miniflare = require('miniflare') as typeof MiniflareModule
hooks.deregister()
Object.assign(miniflare, { leanConfig })

export const { Log, LogLevel, Miniflare, Response } = miniflare

function withLeanConfig(source: unknown): string {
  const text = Buffer.isBuffer(source) ? source.toString('utf8') : String(source)
  return text.replace(WRITES_CONFIG, WRITES_LEAN_CONFIG)
}
