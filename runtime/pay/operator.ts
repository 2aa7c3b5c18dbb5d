import { Hono } from 'hono/tiny'
import { type AdminContext, limitOf } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { unwrapResult } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>()
  .get('/orders', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.orders(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .get('/entitlements', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.entitlements(c.var.tier, limitOf(c.req.query('limit'))))),
  )
