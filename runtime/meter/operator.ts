import { Hono } from 'hono/tiny'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { unwrapResult } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>().get('/usage', async (c) =>
  succeed(unwrapResult(await c.env.LIVE.meterUsage(c.var.tier))),
)
