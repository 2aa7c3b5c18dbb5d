import { Hono } from 'hono'
import { succeed } from '../kernel/envelope.ts'
import type { Mount } from '../kernel/mount.ts'
import { sessionOf } from '../kernel/session.ts'
import { callMeter } from './rpc-client.ts'

/** The route `/_app/meter`: GET `/:key` for a person who is signed in. */
const meterRoutes = new Hono().get('/:key', async (c) =>
  succeed(await callMeter('remaining', { key: c.req.param('key'), session: sessionOf(c.req.raw) ?? '' })),
)

export const mount: Mount = { routes: meterRoutes }
