import { invalid } from './errors.ts'

const URL_CHARS_MAX = 2000

/** Names that lead to no public host. */
const INTERNAL = /(?:^|\.)(?:localhost|local|internal|home|lan|test|invalid|example)$/

/** Returns an address that may be called: https, and a public name. Throws for any other, naming `field`. */
export function publicUrl(given: unknown, field = 'url'): string {
  if (typeof given !== 'string' || given.length > URL_CHARS_MAX || !URL.canParse(given))
    throw invalid(field, 'must be an https address')
  const url = new URL(given)
  if (url.protocol !== 'https:') throw invalid(field, 'must be an https address')
  if (url.username !== '' || url.password !== '') throw invalid(field, 'must hold no user name or password')
  if (!isPublicName(url.hostname)) throw invalid(field, 'must name a public host')
  url.hash = ''
  return url.href
}

/** Whether a host is a name that may lead to a public address; an address of numbers is none. */
export function isPublicName(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '')
  // An address of numbers ends with one, whichever way it is written; a public name never does.
  const isName = host.includes('.') && /\.[a-z][a-z0-9-]*$/.test(host) && !host.startsWith('[')
  return isName && !INTERNAL.test(host)
}
