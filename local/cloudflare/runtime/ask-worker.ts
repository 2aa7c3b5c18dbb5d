import { join } from 'node:path'
import { sha256 } from '../../world/ids.ts'
import { Agent, fetch, type Response } from 'undici'

/**
 * Workers of a process listen on Unix sockets in a folder of their own, one for each way in. A port would be open to
 * every web page and every account of this machine.
 */

/** Miniflare makes an address of a host and a port; here the port ends the name of the file. */
const PORT = ':0'

const agents = new Map<string, Agent>()

/** Where a worker listens; with an entry, the way to it past the asset router. */
export function socketOf(folder: string, worker: string, entry = ''): string {
  return `${join(folder, sha256(`${worker} ${entry}`).slice(0, 12))}${PORT}`
}

/** The same place in Miniflare's options. */
export function directSocket(socket: string): { host: string; port: number } {
  return { host: `unix:${socket.slice(0, -PORT.length)}`, port: 0 }
}

/** Sends a request to a worker by its socket. It has no time limit of its own. */
export function askWorker(
  socket: string,
  path: string,
  init: Omit<RequestInit, 'dispatcher'> = {},
): Promise<Response> {
  let agent = agents.get(socket)
  if (agent === undefined) {
    agent = new Agent({ connect: { socketPath: socket }, headersTimeout: 0, bodyTimeout: 0 })
    agents.set(socket, agent)
  }
  return fetch(`http://worker${path}`, { ...init, dispatcher: agent })
}

/** Closes the connections to sockets of a process that has ended. */
export function forgetSockets(folder: string): void {
  for (const [socket, agent] of agents) {
    if (!socket.startsWith(`${folder}/`)) continue
    agents.delete(socket)
    void agent.destroy()
  }
}
