import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { enterRoom } from './rpc-client.ts'

/** The route `/_app/live`: GET `/:name/:id` opens a WebSocket. Without an upgrade, the response says whether the caller may open one. */
const liveRoutes = new Hono().get('/:name/:id', async (c) => {
  const response = await enterRoom(c.req.raw)
  return response.status === 101 ? response : succeed(null)
})

export const mount: Mount = { routes: liveRoutes }
