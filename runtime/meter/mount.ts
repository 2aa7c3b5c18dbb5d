import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { sessionOf } from '../kernel/access/session.ts'
import { callMeter } from './rpc-client.ts'

/** The route `/_app/meter`: GET `/:key` returns how much of a meter the signed-in person has left. */
const meterRoutes = new Hono().get('/:key', async (c) =>
  succeed(await callMeter('remaining', { key: c.req.param('key'), session: sessionOf(c.req.raw) ?? '' })),
)

export const mount: Mount = { routes: meterRoutes }
