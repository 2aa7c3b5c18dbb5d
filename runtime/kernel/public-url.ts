import { invalid } from './errors.ts'

const URL_CHARS_MAX = 2000

/** Host names that never belong to a public host. */
const INTERNAL_HOST = /(?:^|\.)(?:localhost|local|internal|home|lan|test|invalid|example)$/

/** Throws unless the address is https and has a public host name. The error names `field`. */
export function publicUrl(given: unknown, field = 'url'): string {
  if (typeof given !== 'string' || given.length > URL_CHARS_MAX || !URL.canParse(given))
    throw invalid(field, 'must be an https address')
  const url = new URL(given)
  if (url.protocol !== 'https:') throw invalid(field, 'must be an https address')
  if (url.username !== '' || url.password !== '')
    throw invalid(field, 'must not contain a user name or password')
  if (!isPublicName(url.hostname)) throw invalid(field, 'must name a public host')
  url.hash = ''
  return url.href
}

/** Returns false for every IP address, even a public one. */
export function isPublicName(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  // Every notation of an IP address ends in a number; a public host name never does.
  const isName = host.includes('.') && /\.[a-z][a-z0-9-]*$/.test(host) && !host.startsWith('[')
  return isName && !INTERNAL_HOST.test(host)
}
