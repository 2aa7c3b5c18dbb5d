import type { LookupAddress } from 'node:dns'
import { lookup as systemLookup } from 'node:dns/promises'
import { isIP, type LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { callbackify } from 'node:util'
import { Agent, buildConnector, fetch as undiciFetch, type RequestInit as UndiciInit } from 'undici'
import { addressPolicy, hostName, portOf, type AddressPolicy } from './address-policy.ts'
import { limitBody, RESPONSE_BYTES_MAX } from './limit-body.ts'

/** Thrown when a request is refused because of its destination, before any byte is sent. */
export class OutboundError extends Error {}

export interface OutboundOptions {
  /**
   * The entries of `SLIPWAY_OUTBOUND_ALLOW`: hosts, addresses and CIDR ranges. An origin
   * (`http://127.0.0.1:4310`) allows one port only.
   */
  allow: readonly string[]
  connectTimeoutMs?: number
  /** The longest time without a byte, before the response and during it. */
  idleTimeoutMs?: number
  totalTimeoutMs?: number
  /** The most bytes of a response, both as received and after decompression. */
  maxBytes?: number
  /** Resolves host names; tests replace it. */
  lookup?: (host: string) => Promise<LookupAddress[]>
}

export interface OutboundFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>
  close(): Promise<void>
}

/**
 * Returns a `fetch` for addresses that people entered: it never connects to a private or special address
 * unless the operator allowed it. It connects to the very address that was checked, so a changing DNS result
 * has no effect. Redirects are returned and not followed.
 */
export function outboundFetch(options: OutboundOptions): OutboundFetch {
  const agent = guardedAgent(options)
  const totalTimeoutMs = options.totalTimeoutMs ?? 15 * 60_000
  const maxBytes = options.maxBytes ?? RESPONSE_BYTES_MAX

  const sendGuarded = async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const request = input instanceof Request ? input : null
    const url = new URL(request ? request.url : String(input))
    if (url.protocol !== 'http:' && url.protocol !== 'https:') {
      throw new OutboundError(`${url.protocol} addresses cannot be reached: only http and https.`)
    }
    const given: RequestInit = { ...(request && requestInitOf(request)), ...init }
    const signals = [given.signal, AbortSignal.timeout(totalTimeoutMs)].filter((signal) => signal != null)
    const guarded = {
      ...given,
      signal: AbortSignal.any(signals),
      redirect: 'manual',
      dispatcher: agent,
    } as UndiciInit
    try {
      // The undici package and the copy of undici inside Node have separate types, which differ in name only.
      return limitBody(await undiciFetch(url, guarded), maxBytes)
    } catch (error) {
      throw refusalIn(error) ?? error
    }
  }
  return Object.assign(sendGuarded, { close: () => agent.destroy() })
}

/** Returns the connection agent of `outboundFetch`, for callers that need neither `fetch` nor a total timeout. */
export function guardedAgent(options: OutboundOptions): Agent {
  return new Agent({
    connect: guardedConnector(addressPolicy(options.allow), options),
    headersTimeout: options.idleTimeoutMs ?? 120_000,
    bodyTimeout: options.idleTimeoutMs ?? 120_000,
    maxResponseSize: options.maxBytes ?? RESPONSE_BYTES_MAX,
  })
}

/**
 * Returns why requests to `url` are refused, for the person who enters it, or null when they are allowed. A host name
 * that does not resolve in time is accepted, because every connection is checked again.
 */
export async function refusalOfUrl(
  url: URL,
  allow: readonly string[],
  lookup: NonNullable<OutboundOptions['lookup']> = resolveName,
): Promise<string | null> {
  const host = hostName(url.hostname)
  const port = portOf(url)
  const found = isIP(host) === 0 ? await resolvedInTime(lookup(host)) : [{ address: host }]
  const policy = addressPolicy(allow)
  for (const { address } of found) {
    const refusal = policy({ host, port, address })
    if (refusal !== null) return refusal
  }
  return null
}

const RESOLVE_MS_MAX = 3000

function resolvedInTime(lookup: Promise<LookupAddress[]>): Promise<LookupAddress[]> {
  const late = sleep(RESOLVE_MS_MAX, [], { ref: false })
  return Promise.race([lookup.catch(() => []), late])
}

function requestInitOf(request: Request): RequestInit {
  const { method, headers, body, signal } = request
  return { method, headers: [...headers], signal, ...(body && { body, duplex: 'half' }) }
}

/** Checks the destination of each new connection: a literal address at once, a host name after it was resolved. */
function guardedConnector(policy: AddressPolicy, options: OutboundOptions): buildConnector.connector {
  const timeout = options.connectTimeoutMs ?? 10_000
  return (target, done) => {
    const host = hostName(target.hostname)
    const port = portOf(target)
    const requireAllowed = (found: LookupAddress[]): LookupAddress[] => {
      if (found.length === 0) throw new OutboundError(`${host} has no address.`)
      for (const { address } of found) {
        const refusal = policy({ host, port, address })
        if (refusal !== null) throw new OutboundError(refusal)
      }
      return found
    }
    try {
      // Node calls no look-up for a literal address, so it is checked here.
      if (isIP(host) !== 0) requireAllowed([{ address: host, family: isIP(host) }])
    } catch (refusal) {
      return done(refusal as Error, null)
    }
    const resolve = callbackify(async () => requireAllowed(await (options.lookup ?? resolveName)(host)))
    const lookupAllowed: LookupFunction = (_name, { all }, callback) =>
      resolve((error, found) => {
        if (error) return callback(error, [])
        if (all) return callback(null, found)
        callback(null, found[0]?.address ?? '', found[0]?.family)
      })
    buildConnector({ timeout, lookup: lookupAllowed, autoSelectFamily: true })(target, done)
  }
}

/** Names below .localhost are loopback by RFC 6761, but the system's resolver often does not know them. */
async function resolveName(host: string): Promise<LookupAddress[]> {
  if (host.endsWith('.localhost')) return [{ address: '127.0.0.1', family: 4 }]
  return systemLookup(host, { all: true })
}

function refusalIn(error: unknown): OutboundError | null {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof OutboundError) return cause
  }
  return null
}
