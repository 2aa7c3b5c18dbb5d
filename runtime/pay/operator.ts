import { Hono } from 'hono'
import { type AdminContext, limitOf, opened } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'

/** `/pay` of the admin worker: GET `/orders?limit` and `/entitlements?limit`. */
export const operator = new Hono<AdminContext>()
  .get('/orders', async (c) =>
    succeed(await opened(c.env.LIVE.orders(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .get('/entitlements', async (c) =>
    succeed(await opened(c.env.LIVE.entitlements(c.var.tier, limitOf(c.req.query('limit'))))),
  )
