import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { getMimeType } from 'hono/utils/mime'
import type { Config } from './config.ts'
import { VERSION } from './version.ts'

/** The settings that the console's pages and their content security policy depend on. */
export type ConsoleConfig = Pick<Config, 'cloudflare' | 'real' | 'localWorld' | 'mail' | 'signup'>

const DIST_FOLDER = fileURLToPath(new URL('../console/dist/', import.meta.url))
const ASSETS_PATH = '/_console/assets/'
// Addresses that only programs call. They must not return the console's page: its status 200 would mean to a health
// check that the service is healthy.
const PROGRAM_PATHS: ReadonlySet<string> = new Set(['/livez', '/readyz', '/metrics', '/mcp', '/llms.txt'])
const FILE_NAME = /^[\w.-]+$/
const FILE_ENCODINGS = [
  ['br', '.br'],
  ['gzip', '.gz'],
] as const

/**
 * Returns a file of the console, whose name contains a hash, or the console's page for every other address that a
 * browser opens. Files are cacheable for a year. Returns null for an address that does not belong to the console.
 */
export async function consolePage(
  request: Request,
  config: ConsoleConfig,
  dist = DIST_FOLDER,
): Promise<Response | null> {
  const { pathname } = new URL(request.url)
  if (pathname.startsWith(ASSETS_PATH)) return serveAsset(pathname.slice(ASSETS_PATH.length), request, dist)
  if (PROGRAM_PATHS.has(pathname) || !request.headers.get('accept')?.includes('text/html')) return null
  const bytes = await readFileOnce(join(dist, 'index.html'))
  if (!bytes)
    return new Response('The console is not built yet. Run: npm run build:console\n', { status: 503 })
  const nonce = randomBytes(18).toString('base64url')
  const boot = {
    version: VERSION,
    signup: config.signup,
    mail: config.mail === null ? 'held' : 'smtp',
    localWorld: config.localWorld,
    mailboxUrl: null,
  }
  const page = new TextDecoder()
    .decode(bytes)
    .replaceAll('__NONCE__', nonce)
    .replace('__BOOT__', () => JSON.stringify(boot).replaceAll('<', '\\u003c'))
  return new Response(page, { headers: pageHeaders(contentPolicy(config, nonce)) })
}

async function serveAsset(name: string, request: Request, dist: string): Promise<Response | null> {
  if (!FILE_NAME.test(name)) return null
  const path = join(dist, 'assets', name)
  const accepted = request.headers.get('accept-encoding') ?? ''
  for (const [encoding, ending] of FILE_ENCODINGS) {
    const packed = accepted.includes(encoding) ? await readFileOnce(path + ending) : null
    if (packed)
      return new Response(packed, { headers: { ...assetHeaders(name), 'content-encoding': encoding } })
  }
  const plain = await readFileOnce(path)
  return plain && new Response(plain, { headers: assetHeaders(name) })
}

const fileCache = new Map<string, Uint8Array<ArrayBuffer>>()

/** Reads a file and caches it in memory. A missing file is not cached, because it may be built later. */
async function readFileOnce(path: string): Promise<Uint8Array<ArrayBuffer> | null> {
  const known = fileCache.get(path)
  if (known) return known
  const bytes = await readFile(path).catch(() => null)
  if (!bytes) return null
  const kept = new Uint8Array(bytes)
  // The page is not cached, because its name stays the same when the console is built again.
  if (!path.endsWith('.html')) fileCache.set(path, kept)
  return kept
}

function assetHeaders(name: string): Record<string, string> {
  return {
    'content-type': getMimeType(name) ?? 'application/octet-stream',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: 'accept-encoding',
    'x-content-type-options': 'nosniff',
  }
}

function pageHeaders(policy: string): Record<string, string> {
  return {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'same-origin',
    // A site that opens the console gets no reference to the console's window. Pop-up windows that the console
    // opens keep a reference to the console, because a provider's sign-in page may need it.
    'cross-origin-opener-policy': 'same-origin-allow-popups',
    'permissions-policy': 'geolocation=(), payment=(), usb=(), serial=(), hid=()',
  }
}

function contentPolicy(config: ConsoleConfig, nonce: string): string {
  const apps = appOrigins(config)
  return [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${apps}`,
    `frame-src ${apps}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "object-src 'none'",
    "require-trusted-types-for 'script'",
  ].join('; ')
}

/** A string that no domain contains. Marks the variable part of an app's address. */
const SAMPLE_MARK = 'slipway-sample'

/** Returns the origins of deployed apps: all subdomains under which Cloudflare and its local emulator run workers. */
function appOrigins(config: ConsoleConfig): string {
  const sources = [config.cloudflare, config.real.cloudflare].map((profile) => {
    const { protocol, host } = new URL(profile.appUrl(`${SAMPLE_MARK}-worker`, `${SAMPLE_MARK}-account`))
    const labels = host.split('.')
    const last = labels.findLastIndex((label) => label.includes(SAMPLE_MARK))
    // An operator's own cloud may name the worker in the path of an app's address, so that all apps have the same host.
    return last === -1 ? `${protocol}//${host}` : `${protocol}//*.${labels.slice(last + 1).join('.')}`
  })
  return [...new Set(sources)].join(' ')
}
