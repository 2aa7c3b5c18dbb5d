import { BlockList, isIP } from 'node:net'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

const HOP_BY_HOP = new Set([
  'connection',
  // The router itself handles `Expect`.
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Returns a function that tells whether the forwarding headers of an address are trusted. Throws on a malformed entry. */
export function trustedPeers(entries: string[]): (address: string) => boolean {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix, ...more] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    const bits = family === 'ipv6' ? 128 : 32
    // `Number('')` is 0, so without the test for digits `10.0.0.0/` would trust every address.
    const isRange = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
    if (isIP(address) === 0 || !isRange || more.length > 0)
      throw new Error(`SLIPWAY_TRUSTED_PROXIES: '${entry}' is no address and no range`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return (address) => {
    const plain = address.replace(/^::ffff:/, '')
    return list.check(plain, isIP(plain) === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Removes the headers that a caller could forge and sets the real ones, as the provider's edge does. */
export function requestHeaders(
  req: IncomingMessage,
  isTrusted: (address: string) => boolean,
  options: { keepUpgrade: boolean },
): string[] {
  const peer = (req.socket.remoteAddress ?? '').replace(/^::ffff:/, '')
  const isProxy = isTrusted(peer)
  const headers: string[] = []
  for (let i = 0; i < req.rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [req.rawHeaders[i], req.rawHeaders[i + 1]]
    const lower = name.toLowerCase()
    if (HOP_BY_HOP.has(lower) && !(options.keepUpgrade && (lower === 'connection' || lower === 'upgrade')))
      continue
    const isForgeable =
      /^(?:cf-|x-forwarded-|mf-)/.test(lower) || lower === 'x-real-ip' || lower === 'forwarded'
    if (!isForgeable) headers.push(name, value)
  }
  const forwarded = isProxy
    ? String(req.headers['x-forwarded-for'] ?? '')
        .split(',')
        .at(-1)
        ?.trim()
    : ''
  const address = forwarded === undefined || isIP(forwarded) === 0 ? peer : forwarded
  const proto = isProxy && req.headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  headers.push('CF-Connecting-IP', address, 'X-Real-IP', address, 'X-Forwarded-For', address)
  headers.push('X-Forwarded-Proto', proto, 'CF-Ray', `${randomBytes(8).toString('hex')}-LOC`)
  return headers
}

/** Returns a response's headers without the hop-by-hop headers. */
export function responseHeaders(rawHeaders: string[]): string[] {
  const headers: string[] = []
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const [name = '', value = ''] = [rawHeaders[i], rawHeaders[i + 1]]
    if (!HOP_BY_HOP.has(name.toLowerCase())) headers.push(name, value)
  }
  return headers
}
