import { Hono } from 'hono'
import { type AdminContext, opened } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'

/** `/meter` of the admin worker: GET `/usage`. */
export const operator = new Hono<AdminContext>().get('/usage', async (c) =>
  succeed(await opened(c.env.LIVE.meterUsage(c.var.tier))),
)
