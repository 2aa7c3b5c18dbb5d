import { Hono } from 'hono'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { valueIn } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>().get('/usage', async (c) =>
  succeed(valueIn(await c.env.LIVE.meterUsage(c.var.tier))),
)
