import { env } from 'cloudflare:workers'
import type { FileBucket } from '../../bytes/bucket.ts'
import type { LiveBinding, LiveBindings } from '../objects/calls.ts'
import { ApiError } from '../errors.ts'

interface AssetsBinding {
  fetch(request: Request): Promise<Response>
}

const textVariable = (name: string): string | null => (typeof env[name] === 'string' ? env[name] : null)

/** Returns `preview` only when `APP_TIER` says so. The console may show a preview in a frame, and a preview's pages report their errors. */
export const tier = (): 'production' | 'preview' =>
  textVariable('APP_TIER') === 'preview' ? 'preview' : 'production'

/** True in an app that a person deployed with plain wrangler, so that no service and no console manage it. */
export const isStandalone = (): boolean => textVariable('APP_STANDALONE') === 'on'

export const release = (): string | null => textVariable('RELEASE')

/** The origin that may show the preview in a frame and receives its error reports; null when there is none. */
export const consoleOrigin = (): string | null => {
  const value = textVariable('APP_CONSOLE_ORIGIN')
  return value !== null && URL.canParse(value) ? new URL(value).origin : null
}

export const assetsBinding = (): AssetsBinding | null => (env['ASSETS'] as AssetsBinding | undefined) ?? null

let enabledKeys: readonly unknown[] | null = null

/** Returns whether a capability is on. The app's worker rejects calls to a capability that is off. */
export function isEnabled(key: string): boolean {
  enabledKeys ??= readEnabled()
  return enabledKeys.includes(key)
}

function readEnabled(): readonly unknown[] {
  const list = env['APP_CAPABILITIES']
  const keys: unknown = typeof list === 'string' ? JSON.parse(list) : list
  return Array.isArray(keys) ? keys : []
}

/** Throws `not_enabled` while a capability is off. */
export function requireEnabled(key: string): void {
  if (!isEnabled(key)) throw notEnabled(key)
}

/** Returns the binding to the live worker. Throws `not_enabled` while the capability is off. */
export function requireLive<Key extends keyof LiveBindings>(key: Key): LiveBinding & LiveBindings[Key] {
  const live = env['LIVE'] as (LiveBinding & LiveBindings[Key]) | undefined
  if (live === undefined || !isEnabled(key)) throw notEnabled(key)
  return live
}

/**
 * Returns a capability's bucket in this worker's tier (production or preview). The worker has no binding to the other tier's bucket. Throws
 * `not_enabled` while the capability is off.
 */
export function requireBucket(key: string): FileBucket {
  const bucket = env[key.toUpperCase()] as FileBucket | undefined
  if (bucket === undefined) throw notEnabled(key)
  return bucket
}

const notEnabled = (key: string): ApiError =>
  new ApiError('not_enabled', `The capability ${key} is off. Switch it on for this project and ship again.`)
