import { Hono } from 'hono'
import { succeed } from '../kernel/worker/envelope.ts'
import type { Mount } from '../kernel/worker/mount.ts'
import { guardSettings } from './rpc-client.ts'

/** The route `/_app/guard`: GET returns the Turnstile site key to any visitor. */
const guardRoutes = new Hono().get('/', async () => succeed({ siteKey: (await guardSettings()).siteKey }))

export const mount: Mount = { routes: guardRoutes }
