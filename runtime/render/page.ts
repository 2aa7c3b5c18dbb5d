import { invalid } from '../kernel/errors.ts'
import { isPublicName } from '../kernel/public-url.ts'
import type { PageSource, RenderSettings } from './types.ts'

const URL_CHARS_MAX = 2000
const HTML_CHARS_MAX = 2 * 1024 * 1024
/** Matches addresses that contain the content itself, so that they cause no request to a host. */
const EMBEDDED_URL = '^(?:data|blob):'

interface PageRequest {
  url?: string
  html?: string
  setJavaScriptEnabled?: false
  gotoOptions: { timeout: number; waitUntil: 'load' }
  actionTimeout: number
  allowRequestPattern: string[]
}

type PageRules = Pick<RenderSettings, 'allowedHosts' | 'timeoutMs'>

/**
 * Returns the options for the browser. All requests of the page, including redirects, are limited to the hosts of the app and the allowed
 * hosts. Throws for an address on another host. `own` lists the app's origins. A path is resolved against the first.
 */
export function pageRequest(
  source: PageSource,
  { allowedHosts, timeoutMs }: PageRules,
  own: string[],
): PageRequest {
  const ownHosts = own.map((origin) => new URL(origin).host)
  // The allowed hosts have no port, so that only the default ports of these hosts can be reached.
  const foreign = allowedHosts.filter(isPublicName)
  const hosts = [...new Set([...ownHosts, ...foreign])]
  return {
    ...pageContent(source, hosts, own[0]),
    gotoOptions: { timeout: timeoutMs, waitUntil: 'load' },
    actionTimeout: timeoutMs,
    allowRequestPattern: [EMBEDDED_URL, ...hosts.map(hostPattern)],
  }
}

const hostPattern = (host: string): string => `^https?://${host.replace(/[.[\]]/g, '\\$&')}(?:[/?#]|$)`

function pageContent({ url, html }: PageSource, hosts: readonly string[], base: string | undefined) {
  if ((url === undefined) === (html === undefined))
    throw invalid('url', 'or html must be given, and not both')
  // The HTML may contain text of a visitor, so no scripts may run.
  if (html !== undefined) return { html: requireHtml(html), setJavaScriptEnabled: false as const }
  const isText = typeof url === 'string' && url.length <= URL_CHARS_MAX
  const found = isText ? URL.parse(url, base) : null
  if (found === null || !/^https?:$/.test(found.protocol) || found.username !== '' || found.password !== '')
    throw invalid('url', 'must be a path of the app or an http address')
  if (!hosts.includes(found.host))
    throw invalid('url', `must be of this app or of an allowed host, which ${found.host} is not`)
  return { url: found.href }
}

function requireHtml(html: unknown): string {
  if (typeof html !== 'string' || html === '' || html.length > HTML_CHARS_MAX)
    throw invalid('html', `must be text of at most ${HTML_CHARS_MAX} characters`)
  return html
}
