import { Hono } from 'hono/tiny'
import type { AdminContext } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { unwrapResult } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>()
  .get('/jobs', async (c) => succeed(unwrapResult(await c.env.LIVE.scheduledJobs(c.var.tier))))
  .post('/rest', async (c) => succeed(unwrapResult(await c.env.LIVE.restSchedules(c.var.tier))))
