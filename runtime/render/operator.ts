import { Hono } from 'hono'
import type { AdminContext } from '../kernel/admin.ts'
import { succeed } from '../kernel/envelope.ts'
import { unwrap } from '../kernel/errors.ts'

/** `/render` of the admin worker: GET `/spend`. */
export const operator = new Hono<AdminContext>().get('/spend', async (c) =>
  succeed(await unwrap(c.env.LIVE.renderSpend())),
)
