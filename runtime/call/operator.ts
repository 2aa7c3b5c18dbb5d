import { Hono } from 'hono'
import { type AdminContext, opened } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'

/** `/call` of the admin worker: GET `/calls`. */
export const operator = new Hono<AdminContext>().get('/calls', async (c) =>
  succeed(await opened(c.env.LIVE.calls(c.var.tier))),
)
