import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import type { Config } from '../config.ts'
import { closeUnreadResponses } from './unread-responses.ts'

export type Fetch = Parameters<typeof serve>[0]['fetch']

/** The error codes for an address that this machine does not have, most often because it has no IPv6. */
const NO_ADDRESS = new Set(['EADDRNOTAVAIL', 'EAFNOSUPPORT'])

/**
 * Listens on all configured addresses, at one port. Skips addresses that this machine does not have. Throws when no address is left, or
 * when another program uses the port on one of the addresses.
 */
export async function listen(fetch: Fetch, config: Pick<Config, 'hosts' | 'port'>): Promise<Server[]> {
  const servers: Server[] = []
  const hosts = config.hosts ?? [undefined]
  let missing: unknown
  for (const host of hosts) {
    const port = servers[0] === undefined ? config.port : portOf(servers[0])
    try {
      servers.push(await listenOn(fetch, host, port))
    } catch (error) {
      missing = error
      if (hosts.length > 1 && NO_ADDRESS.has(errorCode(error))) continue
      for (const server of servers) server.close()
      throw explainListenError(error, host, port)
    }
  }
  if (servers.length === 0) throw missing
  return servers
}

function listenOn(fetch: Fetch, hostname: string | undefined, port: number): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = serve({ fetch, port, ...(hostname === undefined ? {} : { hostname }) }, () =>
      resolve(server),
    ) as Server
    closeUnreadResponses(server)
    server.once('error', reject)
  })
}

export const boundAddress = (server: Server): AddressInfo => server.address() as AddressInfo

const portOf = (server: Server): number => boundAddress(server).port

/** Returns the URL at which this machine itself reaches the service. */
export function serviceUrl(servers: readonly Server[], hosts: Config['hosts']): string {
  const [host] = hosts ?? []
  const port = servers[0] === undefined ? 0 : portOf(servers[0])
  const isLocal = host === undefined || ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host)
  return `http://${isLocal ? 'localhost' : hostForUrl(host)}:${port}`
}

/** Returns the address as it is written in a URL: an IPv6 address is in brackets. */
export const hostForUrl = (address: string): string => (address.includes(':') ? `[${address}]` : address)

function explainListenError(error: unknown, host: string | undefined, port: number): unknown {
  if (errorCode(error) === 'EADDRINUSE')
    return new Error(`Port ${port} is in use by another program. Set SLIPWAY_PORT to a free one.`, {
      cause: error,
    })
  if (NO_ADDRESS.has(errorCode(error)))
    return new Error(`This machine has no address ${host}. Set SLIPWAY_HOST to one it has.`, { cause: error })
  return error
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : ''
}
