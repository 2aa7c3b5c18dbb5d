import { isIP } from 'node:net'
import { domainToASCII } from 'node:url'
import * as z from 'zod'

const DNS_LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const HOSTNAME_CHARS_MAX = 253

/** A host name in the provider's format: lower case, punycode, no trailing dot. */
export const Hostname = z
  .string()
  .max(1000)
  .meta({
    format: 'hostname',
    description: 'The host name the app is to have, such as `app.example.com`; not a URL.',
  })
  .transform((text, context) => {
    const hostname = toAscii(text)
    const problem = hostnameProblem(hostname, text)
    if (problem !== null) context.addIssue({ code: 'custom', message: problem })
    return hostname
  })
  .pipe(z.string())

function toAscii(text: string): string {
  const name = text.trim().toLowerCase().replace(/\.$/, '')
  return domainToASCII(name)
}

function hostnameProblem(hostname: string, text: string): string | null {
  if (/[/:?#@]/.test(text)) return 'must be a host name alone, without https:// and without a path'
  if (text.includes('*')) return 'must be one name; a wildcard is not possible'
  const labels = hostname.split('.')
  if (isIP(hostname) !== 0) return 'must be a name, not an address'
  if (labels.length < 2) return 'must be a name below a domain, such as app.example.com'
  const isGood = hostname.length <= HOSTNAME_CHARS_MAX && labels.every((label) => DNS_LABEL.test(label))
  return isGood ? null : 'must be a host name, such as app.example.com'
}

/** Returns the zones that may contain a host name, nearest first, without top-level domains. */
export function zonesAbove(hostname: string): string[] {
  const labels = hostname.split('.')
  return labels.slice(0, -1).map((_, at) => labels.slice(at).join('.'))
}
