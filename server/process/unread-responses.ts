import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** A client on a slow network reads at least a part of a response in this time. */
const UNREAD_MS_MAX = 120_000

/**
 * Closes connections whose client reads nothing of a response for `unreadMsMax`. Otherwise a client could leave any number of responses
 * unread, and each would stay in memory. A request that waits for its response, such as one for a whole build, is not ended.
 */
export function closeUnreadResponses(server: Server, unreadMsMax = UNREAD_MS_MAX): void {
  // Responses are sent in the order of their requests, so a connection without open requests has sent the last response.
  const lastResponses = new WeakMap<Socket, ServerResponse>()
  server.on('request', ({ socket }, response) => {
    lastResponses.set(socket, response)
  })
  // Node itself closes idle connections only without this listener, so the listener also closes those that have no request.
  server.setTimeout(unreadMsMax, (socket) => {
    if (socket.writableLength > 0 || lastResponses.get(socket)?.closed !== false) socket.destroy()
  })
}
