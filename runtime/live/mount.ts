import { Hono } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import type { Mount } from '../kernel/mount.ts'
import { enterRoom } from './rpc-client.ts'

/** `/_app/live`: GET `/:name/:id`, a socket. Without an upgrade the response tells whether one may be opened. */
const routes = new Hono().get('/:name/:id', async (c) => {
  const response = await enterRoom(c.req.raw)
  return response.status === 101 ? response : succeed(null)
})

export const mount: Mount = { routes }
