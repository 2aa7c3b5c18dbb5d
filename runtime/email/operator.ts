import { Hono } from 'hono/tiny'
import { type AdminContext, limitOf } from '../kernel/objects/admin.ts'
import { succeed } from '../kernel/worker/envelope.ts'
import { unwrapResult } from '../kernel/errors.ts'

export const operator = new Hono<AdminContext>()
  .get('/mails', async (c) =>
    succeed(unwrapResult(await c.env.LIVE.mails(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .post('/resume', async (c) => succeed(unwrapResult(await c.env.LIVE.resumeMail(c.var.tier))))
