import type { Server } from 'node:http'
import type { Socket } from 'node:net'

/** A client on a slow network reads at least a part of a response in this time. */
const UNREAD_MS_MAX = 120_000

/**
 * Closes connections whose client reads nothing of a response for `unreadMsMax`. Otherwise a client could leave any number of responses
 * unread, and each would stay in memory. A request that waits for its response, such as one for a whole build, is not ended.
 */
export function closeUnreadResponses(server: Server, unreadMsMax = UNREAD_MS_MAX): void {
  const busy = new Set<Socket>()
  server.on('request', ({ socket }, response) => {
    busy.add(socket)
    response.once('close', () => busy.delete(socket))
  })
  // Node itself closes idle connections only without this listener, so the listener also closes those that have no request.
  server.setTimeout(unreadMsMax, (socket) => {
    if (socket.writableLength > 0 || !busy.has(socket)) socket.destroy()
  })
}
