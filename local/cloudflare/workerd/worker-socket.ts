import { join } from 'node:path'
import { sha256 } from '../../world/ids.ts'
import { Agent, fetch, type Response } from 'undici'

/**
 * Workers listen on Unix sockets in a private folder, one per entrypoint. Any web page and any user of this machine could connect to a TCP
 * port.
 */

/**
 * The end of every socket path. Miniflare's options have a host and a port, and Miniflare joins them with a
 * colon; with `unix:<path>` as host and 0 as port, `:0` becomes part of the path.
 */
const ANY_PORT = ':0'

const socketAgents = new Map<string, Agent>()

/** Returns the socket of a worker. With `entry`, returns the socket of the entrypoint that bypasses the asset router. */
export function socketOf(folder: string, worker: string, entry = ''): string {
  return `${join(folder, sha256(`${worker} ${entry}`).slice(0, 12))}${ANY_PORT}`
}

/** Splits the path into the host and port that Miniflare's options expect. */
export function directSocket(socket: string): { host: string; port: number } {
  return { host: `unix:${socket.slice(0, -ANY_PORT.length)}`, port: 0 }
}

/** Sends a request to a worker, without a timeout. */
export function fetchWorker(
  socket: string,
  path: string,
  init: Omit<RequestInit, 'dispatcher'> = {},
): Promise<Response> {
  let agent = socketAgents.get(socket)
  if (agent === undefined) {
    agent = new Agent({ connect: { socketPath: socket }, headersTimeout: 0, bodyTimeout: 0 })
    socketAgents.set(socket, agent)
  }
  return fetch(`http://worker${path}`, { ...init, dispatcher: agent })
}

/** Closes the connections to an ended process, whose sockets never respond again. */
export function closeConnections(folder: string): void {
  for (const [socket, agent] of socketAgents) {
    if (!socket.startsWith(`${folder}/`)) continue
    socketAgents.delete(socket)
    void agent.destroy()
  }
}
