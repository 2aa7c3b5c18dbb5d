import { Hono } from 'hono'
import { type AdminContext, limitOf } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'
import { valueIn } from '../kernel/errors.ts'

/** `/email` of the admin worker: GET `/mails?limit`, POST `/resume`. */
export const operator = new Hono<AdminContext>()
  .get('/mails', async (c) =>
    succeed(valueIn(await c.env.LIVE.mails(c.var.tier, limitOf(c.req.query('limit'))))),
  )
  .post('/resume', async (c) => succeed(valueIn(await c.env.LIVE.resumeMail(c.var.tier))))
