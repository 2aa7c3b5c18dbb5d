import { domainToASCII } from 'node:url'

const HOSTNAME_FORMAT =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns a name in lower case, with non-ASCII labels encoded for DNS (`xn--`); `..` when that is not possible. */
export function toAsciiName(name: string): string {
  const lower = name.trim().toLowerCase()
  // `domainToASCII` returns an empty string for an invalid name.
  return /^[\0-\x7f]*$/.test(lower) ? lower : domainToASCII(lower) || '..'
}

/** Returns whether `name`, a result of `toAsciiName`, is a host name of at least two labels. */
export const isHostname = (name: string): boolean => HOSTNAME_FORMAT.test(name)
